import fs from 'node:fs';
import { useFolder } from '../../../test/use-folder.js';
import { StartupError } from '../errors/startup-error.js';
import { loadDotEnv } from './dotenv.js';

describe('loadDotEnv', () => {
  const before = process.cwd();
  const folder = useFolder();
  beforeEach(() => process.chdir(folder()));
  afterEach(() => process.chdir(before));

  it('does nothing without a file', () => {
    expect(loadDotEnv).not.toThrow();
  });

  it('explains a file that cannot be read', () => {
    fs.mkdirSync('.env');
    expect(loadDotEnv).toThrow(StartupError);
    expect(loadDotEnv).toThrow(/^\.env cannot be read: /);
  });
});
