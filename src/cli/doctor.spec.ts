import fs from 'node:fs';
import { useFolder } from '../../test/use-folder.js';
import { examine } from './doctor.js';
import { withStore } from './with-store.js';

const SECRET = 'own-and-32-bytes-long-0123456789';

describe('npm run doctor', () => {
  const folder = useFolder();
  const kept = () => folder('data', 'license-secret');
  /** Its last line. */
  const verdict = async (env: NodeJS.ProcessEnv = {}) => {
    const { lines, isHealthy } = await examine({ DATA_DIR: folder('data'), ...env });
    return [isHealthy, lines.at(-1)!.replaceAll(folder(), '')];
  };

  it('says whether the first start can create a store, and creates nothing', async () => {
    const first = 'note     there is no store in /data: the first start creates it';
    expect(await verdict()).toEqual([true, first]);
    expect(fs.readdirSync(folder())).toEqual([]);
    fs.writeFileSync(folder('data'), '');
    const problem = 'problem  /data/ cannot be read or written (ENOTDIR). ';
    expect(await verdict()).toEqual([false, expect.stringContaining(problem)]);
  });

  it('says which secret opens the store', async () => {
    const DATA_DIR = folder('data');
    await withStore({ DATA_DIR, LOG_LEVEL: 'silent' }, () => Promise.resolve());
    const LICENSE_SECRET_PREVIOUS = fs.readFileSync(kept(), 'utf8').trim();
    expect(await verdict()).toEqual([true, 'ok       /data/license-secret opens the store']);
    expect(await verdict({ LICENSE_SECRET: SECRET })).toEqual([
      false,
      expect.stringMatching(/^problem .+ does not open the store: .+ set LICENSE_SECRET_PREVIOUS/),
    ]);
    expect(await verdict({ LICENSE_SECRET: SECRET, LICENSE_SECRET_PREVIOUS })).toEqual([
      true,
      expect.stringMatching(/^note .+ the next start completes the rotation$/),
    ]);
    fs.rmSync(kept());
    fs.mkdirSync(kept());
    expect(await verdict()).toEqual([false, expect.stringMatching(/It is a folder\. Remove it/)]);
    fs.rmdirSync(kept());
    expect(await verdict()).toEqual([
      false,
      expect.stringMatching(/^problem .+license-secret is missing\. Restore it/),
    ]);
  });
});
