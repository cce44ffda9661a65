import { aClient } from '../../test/builders/client.builder.js';
import { useServices } from '../../test/services.js';
import { CLIENTS } from '../clients/client.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { LicensesService } from '../licenses/licenses.service.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { increment, MAX_BATCH_SIZE } from '../storage/changes.js';
import { PROJECT_TASKS } from './project-task.js';
import { PROJECTS } from './project.js';
import { ProjectsService } from './projects.service.js';

const TERMS = { duration: 6, services: ['Hosting'] as const };

describe('ProjectsService', () => {
  const { store, the, put, add, change, addAccount, beforeNextCommit } = useServices();
  let account: AccountId;
  let client: string;
  beforeEach(async () => {
    ({ account } = await addAccount());
    ({ _id: client } = await add(CLIENTS, aClient({ owner: account })));
  });

  const create = () => {
    const fields = { client, name: 'Shop', product: null };
    return the(ProjectsService).createWithFirstLicense(account, fields, TERMS);
  };
  const reissue = ({ _id }: { _id: string }) =>
    the(LicensesService).reissue(_id, account, undefined);

  it('S11: a license that is created or reissued gets another key where a license has the first one', async () => {
    const keys = the(LicenseKeyService);
    const taken = keys.generate('a'.repeat(24));
    const generate = jest.spyOn(keys, 'generate').mockReturnValueOnce(taken);
    await create();
    generate.mockReturnValueOnce(taken);
    const { license } = await create();
    generate.mockReturnValueOnce(taken);
    const { license: replacement } = await reissue(license);
    for (const issued of [license, replacement]) expect(keys.reveal(issued)).not.toBe(taken);
  });

  it('a replacement gets the product that the project is given meanwhile', async () => {
    const { project, license } = await create();
    beforeNextCommit(() => change(PROJECTS, project, { product: 'wiki' }));
    expect(await reissue(license)).toMatchObject({ license: { product: 'wiki' } });
  });

  it('leaves the product of further licenses to a task where they are many', async () => {
    const { project } = await create();
    await put(increment(PROJECTS, project._id, { licensesCount: MAX_BATCH_SIZE }));
    for (const changes of [{ product: 'shop' }, { product: 'shop', name: 'Wiki' }]) {
      await the(ProjectsService).update(project._id, account, changes);
    }
    expect(store.all(PROJECT_TASKS)).toMatchObject([
      { project: project._id, accountId: account, work: 'set_product', product: 'shop' },
    ]);
  });
});
