import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { transformFileSync } from '@swc/core';
import { useFolder } from '../../../test/use-folder.js';
import { StartupError } from '../errors/startup-error.js';
import { keptSecret } from './kept-secret.js';

describe('keptSecret', () => {
  const folder = useFolder();
  const data = (...names: string[]) => folder('new', 'data', ...names);
  const write = (name: string, content: string) => {
    fs.mkdirSync(data(), { recursive: true });
    fs.writeFileSync(data(name), content);
  };

  it('S10: generates 48 random bytes once, and returns the same from then on', () => {
    const secret = keptSecret(data(), 'JWT_SECRET');
    expect(Buffer.from(secret, 'base64url')).toHaveLength(48);
    expect(keptSecret(data(), 'JWT_SECRET')).toBe(secret);
    expect(keptSecret(data(), 'LICENSE_SECRET')).not.toBe(secret);
    expect(keptSecret(folder('other'), 'JWT_SECRET')).not.toBe(secret);
  });

  it('uses a secret that was put there by hand', () => {
    write('jwt-secret', '  restored-from-a-backup-0123456789 \n');
    expect(keptSecret(data(), 'JWT_SECRET')).toBe('restored-from-a-backup-0123456789');
  });

  it.each(['', '\n', 'too-short'])('rejects a file that holds %j, and keeps it', (content) => {
    const file = data('license-secret');
    write('license-secret', content);
    expect(() => keptSecret(data(), 'LICENSE_SECRET')).toThrow(
      new StartupError(`${file} holds no secret: restore it from a backup, or set LICENSE_SECRET.`),
    );
    expect(fs.readFileSync(file, 'utf8')).toBe(content);
  });

  it.each(['file', 'file/data'])('rejects a path that cannot be a data folder: %s', (name) => {
    fs.writeFileSync(folder('file'), '');
    const start = () => keptSecret(folder(name), 'JWT_SECRET');
    expect(start).toThrow(StartupError);
    expect(start).toThrow(/^The data folder .+ cannot be used \(E[A-Z]+\): .+ DATA_DIR/);
  });

  it('makes a whole secret after it was interrupted while it made one', () => {
    const rename = jest.spyOn(fs, 'renameSync').mockImplementationOnce(() => {
      throw new Error('killed');
    });
    expect(() => keptSecret(data(), 'JWT_SECRET')).toThrow(StartupError);
    rename.mockRestore();
    expect(fs.readdirSync(data())).not.toContain('jwt-secret');
    write('jwt-secret.new', 'half of one');

    expect(keptSecret(data(), 'JWT_SECRET')).toHaveLength(64);
    expect(fs.readdirSync(data())).toEqual(['jwt-secret']);
  });

  it('gives two processes that start at the same time the same secret', async () => {
    compileTo(folder());
    const [first, second] = await Promise.all([race(folder(), 0), race(folder(), 1)]);
    expect(first).toHaveLength(50);
    expect(first).toEqual(second);
    expect(new Set(first).size).toBe(50);
  });
});

function compileTo(folder: string): void {
  for (const file of ['config/kept-secret', 'config/data-folder', 'errors/startup-error']) {
    const { code } = transformFileSync(path.join(__dirname, '..', `${file}.ts`), {
      module: { type: 'commonjs' },
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    });
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, `${file}.js`), code);
  }
}

/** Runs 50 rounds in a process of its own. Each round begins once the other process has reached it. */
async function race(folder: string, me: 0 | 1): Promise<string[]> {
  const script = `
    const fs = require('node:fs');
    const { keptSecret } = require('./config/kept-secret.js');
    const secrets = [];
    for (let round = 0; round < 50; round++) {
      fs.writeFileSync(round + '-${me}', '');
      const deadline = Date.now() + 10_000;
      while (!fs.existsSync(round + '-${1 - me}') && Date.now() < deadline);
      try {
        secrets.push(keptSecret('data-' + round, 'JWT_SECRET'));
      } catch (error) {
        secrets.push(error.message);
      }
    }
    console.log(JSON.stringify(secrets));`;
  const env = { NODE_PATH: path.resolve('node_modules') };
  const child = spawn(process.execPath, ['-e', script], { cwd: folder, env });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return JSON.parse(output) as string[];
}
