import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StartupError } from '../errors/startup-error.js';
import { loadDotEnv } from './dotenv.js';

describe('loadDotEnv', () => {
  const before = process.cwd();
  let folder: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'dotenv-'));
    process.chdir(folder);
  });
  afterEach(() => {
    process.chdir(before);
    fs.rmSync(folder, { recursive: true });
  });

  it('does nothing without a file', () => {
    expect(loadDotEnv).not.toThrow();
  });

  it('explains a file that cannot be read', () => {
    fs.mkdirSync('.env');
    expect(loadDotEnv).toThrow(StartupError);
    expect(loadDotEnv).toThrow(/^\.env cannot be read: /);
  });
});
