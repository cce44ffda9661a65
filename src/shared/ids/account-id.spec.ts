import type { ClientsService } from '../../clients/clients.service.js';
import type { DashboardRepository } from '../../dashboard/dashboard.repository.js';
import type { LicensesRepository } from '../../licenses/licenses.repository.js';
import type { LicensesService } from '../../licenses/licenses.service.js';
import type { ProjectsService } from '../../projects/projects.service.js';
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

    const stored = callable<LicensesRepository>();
    void stored.findOwned(recordId, accountId);
    // @ts-expect-error -- swapped
    void stored.findOwned(accountId, recordId);

    const dashboard = callable<DashboardRepository>();
    const query = { now: new Date(), expiringBy: [], activatedSince: new Date() };
    void dashboard.countLicenses(accountId, query);
    // @ts-expect-error -- the id of another record
    void dashboard.countLicenses(recordId, query);
  });
});
