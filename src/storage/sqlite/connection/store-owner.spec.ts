import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Ownership, ownStore } from './store-owner.js';

// The same lock, taken by another process.
const OWN = `
  const { DatabaseSync } = require('@photostructure/sqlite');
  const lock = new DatabaseSync(process.argv[1]);
  try { lock.exec('BEGIN EXCLUSIVE'); console.log('owned'); } catch { console.log('rejected'); }`;

describe('ownStore', () => {
  let folder: string;
  let file: string;
  const owned: Ownership[] = [];
  let other: ChildProcess | undefined;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'store-owner-'));
    file = path.join(folder, 'owner');
  });
  afterEach(() => {
    other?.kill('SIGKILL');
    owned.splice(0).forEach((ownership) => ownership.release());
    fs.rmSync(folder, { recursive: true });
  });

  const own = (): boolean => {
    const ownership = ownStore(file);
    if (ownership) owned.push(ownership);
    return ownership !== undefined;
  };
  const release = () => owned.pop()?.release();

  /** What a short-lived process is told that tries to own the store. */
  const askedByAnother = () =>
    spawnSync(process.execPath, ['-e', OWN, file], { cwd: __dirname, encoding: 'utf8' }).stdout;

  /** Starts a process that owns the store until it is killed. */
  async function startAnotherOwner(): Promise<ChildProcess> {
    const script = `${OWN} setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['-e', script, file], { cwd: __dirname });
    other = child;
    const [output] = (await once(child.stdout, 'data')) as [Buffer];
    expect(output.toString()).toBe('owned\n');
    return child;
  }

  it('gives a store to one alone, within a process', () => {
    expect([own(), own(), own()]).toEqual([true, false, false]);
    release();
    expect([own(), own()]).toEqual([true, false]);
  });

  it('gives a store to one process alone, and to another when that has released it', () => {
    own();
    expect(askedByAnother()).toBe('rejected\n');
    release();
    expect(askedByAnother()).toBe('owned\n');
    expect(own()).toBe(true);
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'owns a store at once whose owner was ended by %s',
    async (signal) => {
      const owner = await startAnotherOwner();
      expect(own()).toBe(false);
      const ended = once(owner, 'exit');
      owner.kill(signal);
      await ended;
      expect(own()).toBe(true);
    },
  );

  it('tells a file that it cannot use from one that another owns', () => {
    fs.writeFileSync(file, 'no store of SQLite, but text that is long enough'.repeat(100));
    expect(own).toThrow('file is not a database');
  });
});
