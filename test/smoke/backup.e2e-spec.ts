import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { verifyStore } from '../../src/storage/sqlite/backup.js';
import { type CreatedLicense, LAPTOP, type LoggedInDeveloper } from '../e2e/developer.js';
import { NO_LIMITS } from '../no-limits.js';
import { expectOneSentence, type RunningService, useOperator } from './operator.js';

const LICENSES = 2_000;

describe('npm run backup and npm run restore', () => {
  const operator = useOperator(NO_LIMITS);
  let service: RunningService;
  let ada: LoggedInDeveloper;
  let license: CreatedLicense;
  beforeAll(async () => {
    service = await operator.start();
    ada = await service.register();
    license = await service.createActiveLicense(ada);
    await service.addLicenses(ada, license.project, LICENSES);
  });

  const backUp = (file: string) => operator.command(['backup', file]);
  const restore = (file: string, folder: string) =>
    operator.command(['restore', file], { DATA_DIR: folder });
  /** The files in the operator's folder whose names start like this. */
  const namesOf = (start: string) =>
    fs.readdirSync(operator.path()).filter((name) => name.startsWith(start));

  it('copy a store during writes, and restore it as it was', async () => {
    const backup = backUp('backup.sqlite');
    do {
      await service.createLicense(ada);
      expect(await service.validationOf(license, LAPTOP)).toBe('active');
    } while (!backup.hasEnded);
    const { code, stdout } = await backup.ended;
    expect(stdout).toMatch(
      /backup\.sqlite is a complete and verified copy .+\nIt contains no secrets/,
    );
    expect(code).toBe(0);
    expect(fs.statSync(operator.path('backup.sqlite')).mode & 0o777).toBe(0o600);

    fs.mkdirSync(operator.path('restored'));
    for (const name of ['jwt-secret', 'license-secret']) {
      fs.copyFileSync(operator.path('data', name), operator.path('restored', name));
    }
    expect(await restore('backup.sqlite', 'restored').ended).toMatchObject({
      code: 0,
      stderr: '',
    });
    const again = await operator.start({ DATA_DIR: 'restored' });
    expect(await again.validationOf(license, LAPTOP)).toBe('active');
    const { body } = await again.get('/dashboard/summary', ada);
    const { ACTIVE, PENDING } = body.licensesByStatus;
    // Some records created in the meantime may be in the copy.
    expect(ACTIVE).toBe(1);
    expect(PENDING).toBeGreaterThanOrEqual(LICENSES);
    await again.end('SIGTERM');
  });

  it('write to standard output, and leave no file', async () => {
    const piped = `"${process.execPath}" "${path.resolve('dist/cli.js')}" backup - > piped.sqlite`;
    expect(await operator.run('/bin/sh', ['-c', piped], '')).toMatchObject({ code: 0, stderr: '' });
    expect(fs.readdirSync(operator.path('data')).join()).not.toContain('.partial');
    const restored = operator.command(['restore', 'piped.sqlite', '--quiet'], {
      DATA_DIR: 'piped',
    });
    expect(await restored.ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('leave nothing that looks complete if they are killed', async () => {
    const { size } = fs.statSync(operator.path('backup.sqlite'));
    for (const share of [0.5, 1]) {
      const backingUp = backUp('killed.sqlite');
      await untilPartial(backingUp, operator.path(), 'killed.sqlite', share * size);
      await backingUp.end('SIGKILL');
      expectWhole(operator.path('killed.sqlite'));
      const restoring = restore('backup.sqlite', operator.path('killed'));
      await untilPartial(restoring, operator.path('killed'), 'licenses.sqlite', share * size);
      await restoring.end('SIGKILL');
      expectWhole(operator.path('killed', 'licenses.sqlite'));
      namesOf('killed.').forEach((name) => fs.rmSync(operator.path(name)));
      fs.rmSync(operator.path('killed', 'licenses.sqlite'), { force: true });
    }
    // Leftover files do no harm.
    expect((await backUp('killed.sqlite').ended).code).toBe(0);
    expect((await restore('killed.sqlite', 'killed').ended).code).toBe(0);
  });

  it('leave nothing behind on a full disk, and say so', async () => {
    // A process may write no more than this many blocks of 512 bytes to a file.
    const limited = (command: string, file: string, folder: string) => {
      const node = `exec "${process.execPath}" "${path.resolve('dist/cli.js')}" ${command} "${file}"`;
      const script = `ulimit -f 1000; DATA_DIR="${operator.path(folder)}" ${node}`;
      return operator.run('/bin/sh', ['-c', script], '');
    };
    const words = ['cannot be written', 'space'];
    expectOneSentence(await limited('backup', 'full.sqlite', 'data'), 'full.sqlite', ...words);
    expectOneSentence(
      await limited('restore', 'backup.sqlite', 'full'),
      'licenses.sqlite',
      ...words,
    );
    expect(namesOf('full.')).toEqual([]);
    expect(fs.readdirSync(operator.path('full'))).toEqual([]);
  });
});

/** Waits until a file, finished or not, has this size, or the command has ended. */
async function untilPartial(
  command: { readonly hasEnded: boolean },
  folder: string,
  name: string,
  size: number,
): Promise<void> {
  const sizes = () => {
    const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
    const files = names.filter((one) => one.startsWith(name)).map((one) => path.join(folder, one));
    return files.map((file) => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  };
  while (!command.hasEnded && Math.max(...sizes()) < size) await setTimeout(1);
}

function expectWhole(file: string): void {
  if (fs.existsSync(file)) expect(verifyStore(file, file)).toBeGreaterThan(0);
}
