import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The path of what `build` writes into a folder, for all test files of a run: whichever of them is done first provides it. */
export function buildOnce(name: string, build: (folder: string) => void): string {
  const folder = path.join(os.tmpdir(), name);
  if (fs.existsSync(folder)) return folder;
  const partial = fs.mkdtempSync(`${folder}-`);
  build(partial);
  if (fs.existsSync(folder)) fs.rmSync(partial, { recursive: true });
  else fs.renameSync(partial, folder);
  return folder;
}
