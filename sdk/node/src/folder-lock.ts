import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { readRegularFile } from './regular-file.js';
import { removeTemporary } from './whole-file.js';

/** A lock that is unchanged for this long was left by a killed process, because writes take milliseconds. */
const ABANDONED_AFTER_MS = 2000;
/** The pause between two attempts. */
const INTERVAL_MS = 5;
/** How long to wait while others hold the lock, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** A file that only one process at a time can create, so that others do not change the folder. */
export class FolderLock {
  private readonly path: string;

  constructor(folder: string) {
    this.path = path.join(folder, 'license.lock');
  }

  /**
   * Calls `action` with the lock, and with a function that throws `EBUSY` once the lock is lost, which can
   * happen if the process is suspended.
   *
   * @param timeout milliseconds to wait for the lock
   * @throws an error of the file system, `EBUSY` if others hold the lock for too long
   */
  hold(action: (check: () => void) => void, timeout = TIMEOUT_MS): void {
    const token = randomUUID();
    this.acquire(token, timeout);
    this.removeLeft();
    const isHeld = () => this.content() === token;
    try {
      action(() => {
        if (!isHeld()) throw busy('The lock was lost.');
      });
    } finally {
      if (isHeld()) this.release();
    }
  }

  /** Left by a process that was killed while removing an abandoned lock. */
  private removeLeft(): void {
    try {
      removeTemporary(this.path);
    } catch {
      // The next process tries again.
    }
  }

  private release(): void {
    try {
      fs.rmSync(this.path, { force: true });
    } catch {
      // A lock that cannot be deleted, such as on Windows while another process reads it, counts as abandoned.
    }
  }

  private acquire(token: string, timeout: number): void {
    fs.mkdirSync(path.dirname(this.path), { recursive: true, mode: 0o700 });
    const start = performance.now();
    let [holder, since] = [this.content(), start];
    while (!this.tryCreate(token)) {
      const now = performance.now();
      const present = this.content();
      if (present !== holder) [holder, since] = [present, now];
      else if (holder !== undefined && now - since > ABANDONED_AFTER_MS) this.remove(holder);
      if (now - start >= timeout) throw busy('Another process has the lock.');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, INTERVAL_MS);
    }
  }

  private tryCreate(token: string): boolean {
    try {
      fs.writeFileSync(this.path, token, { mode: 0o600, flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  /** Removes the lock of a killed process, unless another process has taken it. */
  private remove(holder: string): void {
    const removed = `${this.path}.${randomUUID()}`;
    try {
      fs.renameSync(this.path, removed);
      if (contentOf(removed) !== holder) fs.linkSync(removed, this.path);
    } catch {
      // Another process was faster.
    }
    fs.rmSync(removed, { force: true });
  }

  private content(): string | undefined {
    return contentOf(this.path);
  }
}

/** Undefined if it is absent, unreadable or not a regular file. */
function contentOf(file: string): string | undefined {
  try {
    return readRegularFile(file)?.toString();
  } catch {
    return undefined;
  }
}

function busy(message: string): Error {
  return Object.assign(new Error(message), { code: 'EBUSY' });
}
