import fs from 'node:fs';
import path from 'node:path';
import { committedAt, run } from './stage.mjs';

/** Zips all files of a folder sorted by name, without anything that differs between builds. */
export function zip(folder, file) {
  const names = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
  for (const name of names) {
    fs.utimesSync(path.join(folder, name), Number(committedAt()), Number(committedAt()));
  }
  // A name such as [Content_Types].xml is not a pattern.
  run('zip', ['-X', '-q', '-nw', file, ...names], { cwd: folder });
}
