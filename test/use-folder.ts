import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * Gives each test of the calling block an empty folder, and removes the folders after the last test.
 *
 * @returns a function that returns the path of a name in the folder, or the folder itself
 */
export function useFolder(): (...names: string[]) => string {
  let root: string;
  let folder: string;
  beforeAll(() => {
    root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'license-unit-')));
  });
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(root, 'test-'));
  });
  afterAll(() => fs.rmSync(root, { recursive: true }));
  return (...names) => path.join(folder, ...names);
}
