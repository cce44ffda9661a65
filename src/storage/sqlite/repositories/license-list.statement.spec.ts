import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { LICENSE_STATUSES } from '../../../licenses/license.js';
import type { LicenseQuery } from '../../../licenses/licenses.repository.js';
import { migrate } from '../migrations/migrate.js';
import { licenseListStatement } from './license-list.statement.js';
import { startOf } from './rows.js';

const NOW = new Date('2026-01-31T10:15:00.000Z');

describe('the list of licenses', () => {
  let database: DatabaseSyncInstance;
  beforeAll(() => {
    database = new DatabaseSync(':memory:');
    migrate(database);
  });
  afterAll(() => database.close());

  /** The steps of the query plan that read the table, or sort it. */
  const plan = (given: Partial<LicenseQuery>) => {
    const nothing = { client: undefined, project: undefined, product: undefined };
    const query: LicenseQuery = {
      ...{ ...nothing, status: undefined, expiresBefore: undefined },
      ...{ sort: 'createdAt', order: 'desc', ...given },
    };
    const { sql } = licenseListStatement(query, startOf(undefined, query.order), NOW);
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
    return steps
      .map(({ detail }) => detail)
      .filter((detail) => detail.includes(' licenses ') || detail.includes('TEMP'));
  };

  const queries = [undefined, ...LICENSE_STATUSES].flatMap((status) =>
    [undefined, NOW].flatMap((expiresBefore) =>
      (['asc', 'desc'] as const).map((order) => ({ status, expiresBefore, order })),
    ),
  );

  it.each(queries)('reads the licenses of a product in the order of the list: %j', (query) => {
    const [byCreation, ...sorted] = plan({ ...query, product: 'shop', sort: 'createdAt' });
    expect(byCreation).toContain('USING INDEX licenses_of_product (user=? AND product=? AND (');
    expect(sorted).toEqual([]);
    const [byExpiry, ...sortedToo] = plan({ ...query, product: 'shop', sort: 'expiresAt' });
    const index = 'licenses_of_product_by_expiry (user=? AND product=? AND expiresAt';
    expect(byExpiry).toContain(`USING INDEX ${index}`);
    expect(sortedToo).toEqual([]);
  });

  it.each([{ client: 'a client' }, { project: 'a project' }])(
    'reads the licenses of its narrowest parent, whatever their product: %j',
    (parent) => {
      const index =
        'client' in parent ? 'licenses_of_client (client' : 'licenses_of_project (project';
      for (const query of queries) {
        const [read, ...sorted] = plan({ ...query, ...parent, product: 'shop' });
        expect(read).toContain(`USING INDEX ${index}=? AND (createdAt,_id)`);
        expect(sorted).toEqual([]);
      }
    },
  );
});
