import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeDataFolder } from './data-folder.js';

describe('makeDataFolder', () => {
  let folder: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'data-folder-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  it('creates a folder and those above it, for their owner only', () => {
    const data = path.join(folder, 'a', 'b', 'c');
    makeDataFolder(data);
    makeDataFolder(data);
    expect(fs.statSync(data).mode & 0o777).toBe(0o700);
    expect(fs.statSync(path.join(folder, 'a')).mode & 0o777).toBe(0o700);
  });

  it.each(['/proc/none', '/proc/none/below', '/dev/null/below'])(
    'rejects %s at once, where no folder can be created',
    (impossible) => {
      expect(() => makeDataFolder(impossible)).toThrow(/^E[A-Z]+:/);
    },
  );
});
