import fs from 'node:fs';
import path from 'node:path';
import { committedAt, run } from './stage.mjs';

/** Zips all files below a folder in the order of their names, without what differs from build to build. */
export function zip(folder, file) {
  const names = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
  for (const name of names) {
    fs.utimesSync(path.join(folder, name), Number(committedAt()), Number(committedAt()));
  }
  // A name such as [Content_Types].xml is no pattern.
  run('zip', ['-X', '-q', '-nw', file, ...names], { cwd: folder });
}
