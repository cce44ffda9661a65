import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/**
 * Writes a temporary file with mode 0600 and renames it after `check`. A failed write keeps the old file
 * and leaves no temporary file.
 */
export function writeWhole(file: string, text: string, check: () => void): void {
  withTemporary(file, text, (temporary) => {
    check();
    fs.renameSync(temporary, file);
    syncFolder(path.dirname(file));
  });
}

/** Writes a temporary file, and deletes it. */
export function probe(file: string, text: string): void {
  withTemporary(file, text, () => undefined);
}

function withTemporary(file: string, text: string, use: (temporary: string) => void): void {
  const temporary = `${file}.${randomUUID()}`;
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    fs.writeFileSync(temporary, text, { mode: 0o600, flag: 'wx', flush: true });
    use(temporary);
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

/** Removes the temporary files left for a file. */
export function removeTemporary(file: string): void {
  const folder = path.dirname(file);
  for (const name of fs.readdirSync(folder)) {
    if (name.startsWith(`${path.basename(file)}.`))
      fs.rmSync(path.join(folder, name), { force: true });
  }
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
