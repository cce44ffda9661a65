import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const POLL_MS = 100;
/** Less is a lock file or the like, not a download under way. */
const PROGRESS_BYTES = 16 * 1024;

/** Reports changes in how many bytes the folder holds: what a child prints may be nothing but its retries. */
export function watchGrowth(folder: string, report: () => void): () => void {
  let before = 0;
  const look = async (): Promise<void> => {
    const now = await bytesIn(folder).catch(() => before);
    if (Math.abs(now - before) < PROGRESS_BYTES) return;
    before = now;
    report();
  };
  const timer = setInterval(() => void look(), POLL_MS);
  return () => clearInterval(timer);
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(entries.map((entry) => fileSize(join(folder, entry))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function fileSize(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? found.size : 0;
}
