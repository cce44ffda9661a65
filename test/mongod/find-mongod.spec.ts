import { copyFile, mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { cachedMongod, cacheFolder } from './cache';
import { succeeds } from './child';
import type { Download } from './download';
import { findMongod } from './find-mongod';
import { executable, temporaryFolder, WORKING } from './fixtures';

const BROKEN = '#!/bin/sh\nexit 1\n';
// Long enough for a shell to start and end on a busy machine; the slow download below takes longer.
const QUIET_MS = 3_000;
const STALL_MS = 300;

describe('findMongod', () => {
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let stderr: jest.SpyInstance;
  let asked: string[];

  beforeEach(async () => {
    folder = await temporaryFolder();
    env = { XDG_CACHE_HOME: join(folder, 'cache'), PATH: join(folder, 'bin') };
    stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    asked = [];
  });

  afterEach(async () => {
    stderr.mockRestore();
    await rm(folder, { recursive: true });
  });

  const named = () => join(folder, 'named');
  const onPath = () => join(folder, 'bin', 'mongod');

  /** A download that runs the script in its folder and expects it to leave a file `mongod` there. */
  const download =
    (name: string, script: string): Download =>
    async (work, _env, signal) => {
      asked.push(name);
      const options = { cwd: work, env: process.env, signal };
      return (await succeeds('sh', ['-c', script], options)) ? join(work, 'mongod') : undefined;
    };
  const good = `printf '#!/bin/sh\\necho "db version v0.0.0"\\n' > mongod`;
  const works = (name = 'works') => download(name, good);
  const fails = (name = 'fails') => download(name, 'exit 1');
  const stalls = (name = 'stalls') => download(name, 'exec sleep 60');

  const find = (...downloads: Download[]) =>
    findMongod({ env, downloads, headStartMs: STALL_MS, quietMs: QUIET_MS });

  it('takes the one named in the environment first, then the PATH, then the cache', async () => {
    env.MONGOMS_SYSTEM_BINARY = await executable(named());
    await executable(onPath());
    await executable(cachedMongod(env));

    expect(await find(works())).toBe(named());
    delete env.MONGOMS_SYSTEM_BINARY;
    expect(await find(works())).toBe(onPath());
    await rm(onPath());
    expect(await find(works())).toBe(cachedMongod(env));
    expect(asked).toEqual([]);
  });

  it('passes over broken ones, and says so of the one that was named', async () => {
    env.MONGOMS_SYSTEM_BINARY = await executable(named(), BROKEN);
    await executable(onPath(), BROKEN);
    await executable(cachedMongod(env));

    expect(await find(works())).toBe(cachedMongod(env));
    expect(stderr.mock.calls).toEqual([[expect.stringContaining(named())]]);
  });

  it('looks on along the PATH behind a broken one', async () => {
    await executable(onPath(), BROKEN);
    const behind = await executable(join(folder, 'more', 'mongod'));
    env.PATH += `:${join(folder, 'more')}`;

    expect(await find(works())).toBe(behind);
  });

  it('replaces a broken one in the cache by a download, which the next run finds', async () => {
    await executable(cachedMongod(env), BROKEN);

    expect(await find(works())).toBe(cachedMongod(env));
    expect(await find(fails())).toBe(cachedMongod(env));
    expect(asked).toEqual(['works']);
  });

  it('tries the downloads in their order, each once the one before has failed', async () => {
    expect(await find(fails('first'), works('second'), works('third'))).toBe(cachedMongod(env));
    expect(asked).toEqual(['first', 'second']);
  });

  it('goes on to the next download when what came does not run, and keeps nothing of it', async () => {
    expect(await find(download('broken', 'echo > mongod'))).toBeUndefined();
    expect(await readdir(cacheFolder(env))).toEqual([]);
    expect(await find(download('broken', 'echo > mongod'), works())).toBe(cachedMongod(env));
  });

  it('starts the next download when one stalls, and ends the stalled one when that succeeds', async () => {
    expect(await find(stalls(), works())).toBe(cachedMongod(env));
    expect(await readdir(cacheFolder(env))).toEqual([basename(cachedMongod(env))]);
  });

  it('gives up once nothing has progressed for the quiet time, however many downloads hang', async () => {
    const began = performance.now();
    expect(await find(stalls('first'), stalls('second'), stalls('third'))).toBeUndefined();
    const duration = performance.now() - began;
    expect(duration).toBeGreaterThanOrEqual(QUIET_MS - 10);
    // Not one quiet time for each.
    expect(duration).toBeLessThan(3 * QUIET_MS);
    expect(asked).toEqual(['first', 'second', 'third']);
    expect(await readdir(cacheFolder(env))).toEqual([]);
    expect(stderr).not.toHaveBeenCalled();
  });

  it('lets a slow download go on as long as it progresses, and says that it is under way', async () => {
    const chunks = 'for i in 1 2 3 4 5 6 7 8; do head -c 50000 /dev/zero >> part; sleep 0.4; done';
    expect(await find(download('slow', `${chunks}; ${good}`))).toBe(cachedMongod(env));
    expect(stderr.mock.calls).toEqual([[expect.stringContaining(cacheFolder(env))]]);
  });

  it('survives a run that downloads at the same time', async () => {
    const both = await Promise.all([find(works()), find(works())]);
    expect(both).toEqual([cachedMongod(env), cachedMongod(env)]);
    expect(await readdir(cacheFolder(env))).toEqual([basename(cachedMongod(env))]);
  });

  it('removes what an interrupted run left a day ago, and no younger download', async () => {
    const [old, young] = [
      join(cacheFolder(env), 'download-a'),
      join(cacheFolder(env), 'download-b'),
    ];
    await mkdir(old, { recursive: true });
    await mkdir(young);
    await utimes(old, 0, 0);
    await find(works());
    expect(await readdir(cacheFolder(env))).toEqual(['download-b', basename(cachedMongod(env))]);
  });

  it('finds none where the cache cannot be written', async () => {
    await writeFile(join(folder, 'cache'), '');
    expect(await find(works())).toBeUndefined();
  });

  it('makes a download executable', async () => {
    const source = join(folder, 'source');
    await writeFile(source, WORKING);
    const copy: Download = async (work) => {
      await copyFile(source, join(work, 'mongod'));
      return join(work, 'mongod');
    };
    expect((await stat((await find(copy)) ?? '')).mode & 0o777).toBe(0o755);
  });
});
