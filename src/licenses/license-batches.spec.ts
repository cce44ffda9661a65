import { activeUntil, aPrincipal, aProject, at, aUser } from '../../test/builders.js';
import { inRequest } from '../../test/contract/in-request.js';
import { useServices } from '../../test/services.js';
import { PROJECTS } from '../projects/project.js';
import { LicenseBatches } from './license-batches.service.js';
import { LICENSES } from './license.js';

describe('LicenseBatches', () => {
  const { store, the, add, addLicense } = useServices();

  it('tells which licenses it had no time for, and changes them with the next request', async () => {
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
