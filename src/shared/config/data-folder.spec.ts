import fs from 'node:fs';
import { useFolder } from '../../../test/use-folder.js';
import { makeDataFolder } from './data-folder.js';

describe('makeDataFolder', () => {
  const folder = useFolder();

  it('creates a folder and its missing parents, for their owner only', () => {
    const data = folder('a', 'b', 'c');
    makeDataFolder(data);
    makeDataFolder(data);
    expect(fs.statSync(data).mode & 0o777).toBe(0o700);
    expect(fs.statSync(folder('a')).mode & 0o777).toBe(0o700);
  });

  it.each(['/proc/none', '/proc/none/below', '/dev/null/below'])(
    'throws at once where the folder cannot be created: %s',
    (impossible) => {
      expect(() => makeDataFolder(impossible)).toThrow(/^E[A-Z]+:/);
    },
  );
});
