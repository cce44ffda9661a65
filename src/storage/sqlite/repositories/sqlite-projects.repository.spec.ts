import { useFolder } from '../../../../test/use-folder.js';
import { newAccountId } from '../../../shared/ids/account-id.js';
import { SqliteStore } from '../connection/sqlite-store.js';
import type { SqliteDeletedProjects } from './sqlite-deleted-projects.js';
import type { SqliteIdempotencyRepository } from './sqlite-idempotency.repository.js';
import type { SqliteLicenseTable } from './sqlite-license-table.js';
import { SqliteProjectsRepository } from './sqlite-projects.repository.js';
import type { SqliteQuotas } from './sqlite-quotas.js';

describe('the list of projects', () => {
  const folder = useFolder();

  it.each([
    [{}, 'projects_of_owner (owner=? AND'],
    [{ client: 'a client' }, 'projects_of_client (client=? AND'],
    [{ client: 'a client', product: 'shop' }, 'projects_of_client (client=? AND'],
    [{ product: 'shop' }, 'projects_of_product (owner=? AND product=? AND'],
  ])('reads one index, in the order of the list: %j', async (given, index) => {
    const store = SqliteStore.open(folder());
    const projects = new SqliteProjectsRepository(
      store,
      {} as SqliteIdempotencyRepository,
      {} as SqliteQuotas,
      {} as SqliteLicenseTable,
      {} as SqliteDeletedProjects,
    );
    const prepare = jest.spyOn(store, 'prepare');
    const query = { client: undefined, product: undefined, ...given };
    await projects.listOwned(newAccountId(), query, { limit: 10, after: undefined });
    const [sql] = prepare.mock.lastCall!;
    const plan = store.database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
    expect(plan.map(({ detail }) => detail)).toEqual([
      `SEARCH projects USING INDEX ${index} (createdAt,_id)<(?,?))`,
    ]);
    store.close();
  });
});
