import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Larger than any file of this package, so that a disk that is almost full is detected. */
const PROBE = ' '.repeat(16_384);

/**
 * Writes a temporary file with mode 0600, then calls `place` to give it its name. A failed write leaves the old file and
 * no temporary one.
 *
 * @returns what `place` returns
 */
export function writeWhole<Result>(
  file: string,
  text: string,
  place: (temporary: string, file: string) => Result,
): Result {
  const folder = path.dirname(file);
  const temporary = `${file}.${randomUUID()}`;
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    fs.writeFileSync(temporary, text, { mode: 0o600, flag: 'wx', flush: true });
    const result = place(temporary, file);
    syncFolder(folder);
    return result;
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

/** @throws an error of the file system if files cannot be written there */
export function proveWritable(folder: string): void {
  writeWhole(path.join(folder, 'probe'), PROBE, () => undefined);
}

function syncFolder(folder: string): void {
  try {
    const handle = fs.openSync(folder, 'r');
    try {
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
  } catch {
    // Windows does not open folders, and some file systems do not sync them.
  }
}
