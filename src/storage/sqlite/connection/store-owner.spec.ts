import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { useFolder } from '../../../../test/use-folder.js';
import { type Ownership, ownStore } from './store-owner.js';

// Another process tries to take the same lock.
const OWN = `
  const { DatabaseSync } = require('@photostructure/sqlite');
  const lock = new DatabaseSync(process.argv[1]);
  try { lock.exec('BEGIN EXCLUSIVE'); console.log('owned'); } catch { console.log('rejected'); }`;

describe('ownStore', () => {
  const folder = useFolder();
  let file: string;
  const owned: Ownership[] = [];
  let other: ChildProcess | undefined;

  beforeEach(() => void (file = folder('owner')));
  afterEach(() => {
    other?.kill('SIGKILL');
    owned.splice(0).forEach((ownership) => ownership.release());
  });

  const own = (): boolean => {
    const ownership = ownStore(file);
    if (ownership) owned.push(ownership);
    return ownership !== undefined;
  };
  const release = () => owned.pop()?.release();

  /** The output of a short-lived process that tries to own the store. */
  const outputOfAnother = () =>
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

  it('gives a store one owner within a process', () => {
    expect([own(), own(), own()]).toEqual([true, false, false]);
    release();
    expect([own(), own()]).toEqual([true, false]);
  });

  it('gives a store one owner among processes, and another one once it is released', () => {
    own();
    expect(outputOfAnother()).toBe('rejected\n');
    release();
    expect(outputOfAnother()).toBe('owned\n');
    expect(own()).toBe(true);
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'owns a store as soon as its owner was ended by %s',
    async (signal) => {
      const owner = await startAnotherOwner();
      expect(own()).toBe(false);
      const ended = once(owner, 'exit');
      owner.kill(signal);
      await ended;
      expect(own()).toBe(true);
    },
  );

  it('throws where the file cannot be used, instead of reporting another owner', () => {
    fs.writeFileSync(file, 'no store of SQLite, but text that is long enough'.repeat(100));
    expect(own).toThrow('file is not a database');
  });
});
