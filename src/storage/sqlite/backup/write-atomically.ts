import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { syncFolder } from '../../../shared/config/data-folder.js';
import { StartupError } from '../../../shared/errors/startup-error.js';

/** Ends the name of a file that is not complete. A killed process leaves it behind. */
export const PARTIAL = '.partial';

/** Files that SQLite makes beside a database. */
const BESIDE = ['', '-journal', '-wal', '-shm'];

/**
 * Creates a file that only its owner can read. The file appears once it is complete and flushed to the disk. An existing
 * file is never replaced.
 *
 * @param write fills the file of the given name, which has this mode already
 * @throws StartupError where the file exists or cannot be written
 */
export async function writeAtomically(
  file: string,
  write: (partial: string) => Promise<void>,
): Promise<void> {
  if (fs.existsSync(file)) throw existing(file);
  const partial = makePartial(file);
  const remove = () => BESIDE.forEach((end) => fs.rmSync(partial + end, { force: true }));
  // Runs where a signal ends the process by process.exit().
  process.once('exit', remove);
  try {
    await write(partial);
    flush(partial);
    // Here a signal ends the process that came while nothing else could run.
    await setImmediate();
    // A link never replaces a file.
    fs.linkSync(partial, file);
    syncFolder(path.dirname(file));
  } catch (error) {
    throw error instanceof StartupError ? error : unwritable(file, error as NodeJS.ErrnoException);
  } finally {
    remove();
    process.off('exit', remove);
  }
}

function makePartial(file: string): string {
  const partial = `${file}.${randomUUID()}${PARTIAL}`;
  try {
    fs.closeSync(fs.openSync(partial, 'wx', 0o600));
    return partial;
  } catch (error) {
    throw unwritable(file, error as NodeJS.ErrnoException);
  }
}

function flush(file: string): void {
  const descriptor = fs.openSync(file, 'r+');
  fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
}

const existing = (file: string) => new StartupError(`${file} exists already: name a new file.`);

const SQLITE_FULL = 13;

function unwritable(file: string, error: NodeJS.ErrnoException & { errcode?: number }): Error {
  const { code, errcode, message } = error;
  if (code === 'EEXIST') return existing(file);
  if (code === 'ENOSPC' || errcode === SQLITE_FULL) {
    return new StartupError(`${file} cannot be written, as its disk is full: free some space.`);
  }
  if (code === 'ENOENT') {
    return new StartupError(`${file} cannot be written: make its folder first.`);
  }
  return new StartupError(
    `${file} cannot be written (${code ?? message}): name a file on a disk with space and hard links, in a folder ` +
      'that this user can write to.',
  );
}
