import { setImmediate } from 'node:timers/promises';
import { aProject } from '../../test/builders.js';
import { useServices } from '../../test/services.js';
import { LICENSES } from '../licenses/license.js';
import { PROJECTS } from '../projects/project.js';
import { Imports } from './imports.service.js';
import { LicenseRows } from './license-rows.service.js';

describe('Other requests run', () => {
  const { store, the, add, addAccount, addLicense } = useServices();

  it('between the rows of an import', async () => {
    const { account: accountId } = await addAccount();
    const row = { client: { email: 'ada@client.example' }, project: 'Draw', services: ['Hosting'] };
    const rows = Array.from({ length: 50 }, (_, ref) => ({
      ...{
        ...row,
        ref: `${ref}`,
        key: `FOREIGN-KEY-${ref}`,
        expiresAt: '2027-02-01T10:00:00.000Z',
      },
    }));
    const imported = { others: 0, isRunning: true };
    const runOthers = async () => {
      for (; imported.isRunning; imported.others += 1) await setImmediate();
    };
    const request = { accountId, source: 'keygen', conflicts: undefined, rows };
    const [{ totals }] = await Promise.all([
      the(Imports)
        .run(request)
        .finally(() => (imported.isRunning = false)),
      runOthers(),
    ]);
    expect(totals.created).toBe(50);
    expect(imported.others).toBeGreaterThanOrEqual(50);
  });

  it('between parts of an export, whose licenses can have many machines', async () => {
    const project = await add(PROJECTS, aProject());
    while (store.all(LICENSES).length < 50) await addLicense(project, { seats: 1 });
    const read = jest.spyOn(store, 'newestOf');
    expect(await the(LicenseRows).read(store.all(LICENSES))).toHaveLength(50);
    expect(read.mock.calls.map(([, , , licenses]) => licenses.length)).toEqual([20, 20, 10]);
  });
});
