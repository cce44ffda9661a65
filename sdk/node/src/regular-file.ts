import fs from 'node:fs';

/** The maximum size of a file in the folder. */
export const MAX_BYTES = 65_536;

/**
 * At most one byte more than the maximum size; undefined if the file does not exist.
 *
 * @throws an error of the file system; `EISDIR` for anything except a regular file
 */
export function readRegularFile(file: string): Buffer | undefined {
  let handle: number;
  try {
    // Never waits for a pipe.
    handle = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    if (!fs.fstatSync(handle).isFile()) {
      throw Object.assign(new Error(`${file} is not a file.`), { code: 'EISDIR' });
    }
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = fs.readSync(handle, buffer, length, buffer.length - length, null);
    }
    return buffer.subarray(0, length);
  } finally {
    fs.closeSync(handle);
  }
}
