import fs from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder that its owner alone can enter, and those above it, where they are missing.
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
    // Another process that starts at the same time may have made it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
