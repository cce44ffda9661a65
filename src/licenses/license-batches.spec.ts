import { setImmediate } from 'node:timers/promises';
import { activeUntil, aPrincipal, aProject, at, aUser } from '../../test/builders.js';
import { inRequest } from '../../test/contract/in-request.js';
import { useServices } from '../../test/services.js';
import { PROJECTS } from '../projects/project.js';
import { LicenseBatches } from './license-batches.service.js';
import { LICENSES } from './license.js';

describe('LicenseBatches', () => {
  const { store, the, add, addLicense } = useServices();

  it('lets other requests run between its items', async () => {
    const project = await add(PROJECTS, aProject());
    const caller = aPrincipal(aUser({ account: project.owner }));
    const items: { id: string }[] = [];
    while (items.length < 50) items.push({ id: (await addLicense(project))._id });
    const batch = { others: 0, isRunning: true };
    const runOthers = async () => {
      for (; batch.isRunning; batch.others += 1) await setImmediate();
    };
    const change = () => the(LicenseBatches).change(caller, 'suspend', items, undefined);
    const changing = inRequest(60_000, change, { principal: caller });
    const others = runOthers();
    await changing;
    batch.isRunning = false;
    await others;
    expect(batch.others).toBeGreaterThanOrEqual(5);
  });

  it('reports which licenses it had no time for, and changes them with the next request', async () => {
    const project = await add(PROJECTS, aProject());
    const license = await addLicense(project, activeUntil(at(500)));
    const caller = aPrincipal(aUser({ account: project.owner }));
    const suspend = (milliseconds: number) => {
      const items = [{ id: license._id }];
      const work = () => the(LicenseBatches).change(caller, 'suspend', items, undefined);
      return inRequest(milliseconds, work, { principal: caller });
    };
    expect(await suspend(400)).toMatchObject([{ id: null, status: 503, code: 'OVERLOADED' }]);
    expect(await store.find(LICENSES, { _id: license._id })).toEqual(license);
    expect(await suspend(60_000)).toMatchObject([{ id: license._id, status: 200 }]);
  });
});
