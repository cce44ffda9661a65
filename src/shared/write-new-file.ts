import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { syncFolder } from './config/data-folder.js';
import { StartupError } from './errors/startup-error.js';

/** Suffix of incomplete files, which a killed process can leave behind. */
export const PARTIAL = '.partial';

const SQLITE_FULL = 13;

/**
 * Creates a file that only its owner can read. The file gets its name once it is complete and flushed to disk. Never replaces an
 * existing file.
 *
 * @param write fills the empty file at the given path, which already has the restricted mode
 * @returns the result of `write`
 * @throws StartupError if the file exists or cannot be written
 */
export async function writeNewFile<T>(
  file: string,
  write: (partial: string) => Promise<T> | T,
): Promise<T> {
  if (fs.existsSync(file)) throw existing(file);
  const partial = partialOf(file);
  try {
    makePartial(partial);
    const result = await write(partial);
    publish(partial, file);
    return result;
  } catch (error) {
    throw 'code' in (error as Error) ? unwritable(file, error as NodeJS.ErrnoException) : error;
  } finally {
    fs.rmSync(partial, { force: true });
  }
}

/**
 * Like {@link writeNewFile}, but keeps an existing file. If several processes do so at the same time, the first one
 * wins.
 *
 * @param write as for {@link writeNewFile}
 * @throws the system error if the file does not exist afterwards
 */
export function createOnce(file: string, write: (partial: string) => void): void {
  const partial = partialOf(file);
  try {
    makePartial(partial);
    write(partial);
    publish(partial, file);
  } catch (error) {
    if (!fs.existsSync(file)) throw error;
    syncFolder(path.dirname(file));
  } finally {
    fs.rmSync(partial, { force: true });
  }
}

const partialOf = (file: string) => `${file}.${randomUUID()}${PARTIAL}`;

const makePartial = (partial: string) => fs.writeFileSync(partial, '', { flag: 'wx', mode: 0o600 });

function publish(partial: string, file: string): void {
  const descriptor = fs.openSync(partial, 'r+');
  fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
  // Creating a link never replaces a file.
  fs.linkSync(partial, file);
  syncFolder(path.dirname(file));
}

const existing = (file: string) =>
  new StartupError(`${file} already exists. Choose a new file name.`);

function unwritable(file: string, error: NodeJS.ErrnoException & { errcode?: number }): Error {
  const { code, errcode, message } = error;
  if (code === 'EEXIST') return existing(file);
  if (code === 'ENOSPC' || errcode === SQLITE_FULL) {
    return new StartupError(`${file} cannot be written because the disk is full. Free some space.`);
  }
  if (code === 'ENOENT') {
    return new StartupError(`${file} cannot be written. Create its folder first.`);
  }
  return new StartupError(
    `${file} cannot be written (${code ?? message}). Choose a folder that this user can write to, on a disk that has space and ` +
      'supports hard links.',
  );
}
