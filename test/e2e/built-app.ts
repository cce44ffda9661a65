import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Writes a browser app, as built, into a new folder that the calling block removes, and returns its path. */
export function useBuiltApp(page: string, scriptName = 'index-1.js', script = ''): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'license-app-'));
  const write = (name: string, text: string) => fs.writeFileSync(path.join(folder, name), text);
  fs.mkdirSync(path.join(folder, 'assets'));
  write('index.html', page);
  write('.inputs', 'hash of the inputs');
  write(`assets/${scriptName}`, script);
  afterAll(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}
