import type { ClientsService } from '../../clients/clients.service.js';
import type { LicensesService } from '../../licenses/licenses.service.js';
import type { ProjectsService } from '../../projects/projects.service.js';
import { PROJECTS } from '../../projects/project.js';
import { findOwned } from '../../storage/find-owned.js';
import type { Store } from '../../storage/store.js';
import { NEWEST_FIRST } from '../pagination/page.js';
import { newAccountId } from './account-id.js';
import { newObjectId } from './object-id.js';

describe('AccountId', () => {
  const [accountId, recordId] = [newAccountId(), newObjectId()];
  const callable = <T>() => new Proxy({}, { get: () => () => undefined }) as T;

  // The type check fails where a line below an expected error compiles.
  it('is the only string that is accepted as the owner of a record', () => {
    const clients = callable<ClientsService>();
    void clients.get(recordId, accountId);
    // @ts-expect-error -- swapped
    void clients.get(accountId, recordId);

    const projects = callable<ProjectsService>();
    void projects.delete(recordId, accountId);
    // @ts-expect-error -- swapped
    void projects.delete(accountId, recordId);

    const licenses = callable<LicensesService>();
    void licenses.revoke(recordId, accountId, null);
    // @ts-expect-error -- swapped
    void licenses.revoke(accountId, recordId, null);

    const store = callable<Store>();
    void findOwned(store, PROJECTS, recordId, accountId);
    // @ts-expect-error -- swapped
    void findOwned(store, PROJECTS, accountId, recordId);
    // @ts-expect-error -- the id of another record
    void store.list(PROJECTS, { owner: recordId }, NEWEST_FIRST, { limit: 1 });
  });
});
