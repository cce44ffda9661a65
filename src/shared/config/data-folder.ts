import fs from 'node:fs';
import path from 'node:path';

/**
 * Creates a folder that only its owner can enter, and missing folders above it.
 *
 * fs.mkdirSync with `recursive` never returns below a folder that allows no subfolders, such as /proc.
 */
export function makeDataFolder(folder: string): void {
  if (fs.existsSync(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeDataFolder(parent);
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it at the same time.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Makes the names of new files in a folder durable. */
export function syncFolder(folder: string): void {
  // Windows cannot open folders, and writes their entries through by itself.
  if (process.platform === 'win32') return;
  const descriptor = fs.openSync(folder, 'r');
  fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
}
