import { cacheFolder } from './cache';
import { downloadToCache, type Download } from './download';
import { Watchdog } from './watchdog';

interface Terms {
  env: NodeJS.ProcessEnv;
  /** A download that made no progress for so long gets company from the next. */
  headStartMs: number;
  /** Aborts all of them once none has made progress for too long. */
  watchdog: Watchdog;
}

/** The first download to succeed, tried in order; a stalled one may still win while the next is under way. */
export async function firstDownload(
  downloads: readonly Download[],
  { env, headStartMs, watchdog }: Terms,
): Promise<string | undefined> {
  const won = new AbortController();
  const signal = AbortSignal.any([won.signal, watchdog.signal]);
  const running: Promise<string | undefined>[] = [];
  const announce = announcer(env);

  const start = (download: Download, stall: Watchdog): Promise<string | undefined> => {
    const progress = (): void => {
      announce();
      stall.progress();
      watchdog.progress();
    };
    const result = downloadToCache(download, env, signal, progress).catch(() => undefined);
    running.push(result);
    return result;
  };

  const startFrom = async (index: number): Promise<string | undefined> => {
    const download = downloads[index];
    if (download === undefined || signal.aborted) return undefined;
    const stall = new Watchdog(headStartMs);
    const result = start(download, stall);
    const early = await Promise.race([result, aborted(stall.signal)]);
    stall.stop();
    return early ?? firstDefined([result, startFrom(index + 1)]);
  };

  const winner = await startFrom(0);
  won.abort();
  // The others clean up after themselves; nothing of theirs may outlive the search.
  await Promise.all(running);
  return winner;
}

/** Says once that something arrives: it may take minutes on a slow line. */
function announcer(env: NodeJS.ProcessEnv): () => void {
  let said = false;
  return () => {
    if (said) return;
    said = true;
    process.stderr.write(`Downloading a mongod for the tests, once, to ${cacheFolder(env)}\n`);
  };
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

function firstDefined<T>(promises: Promise<T | undefined>[]): Promise<T | undefined> {
  const successes = promises.map(async (promise) => (await promise) ?? Promise.reject(new Error()));
  return Promise.any(successes).catch(() => undefined);
}
