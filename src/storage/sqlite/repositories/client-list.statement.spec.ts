import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { clientListStatement } from './client-list.statement.js';
import { migrate } from '../migrations/migrate.js';
import { startOf } from './rows.js';

const FIRST = startOf(undefined, 'desc');

describe('the list of clients', () => {
  let database: DatabaseSyncInstance;
  beforeAll(() => {
    database = new DatabaseSync(':memory:');
    migrate(database);
  });
  afterAll(() => database.close());

  /** The steps of the query plan that read the table. */
  const plan = (client?: string, search?: string) => {
    const { sql } = clientListStatement({ client, search }, FIRST);
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
    return steps.map(({ detail }) => detail).filter((detail) => detail.includes(' clients'));
  };

  it('reads the index of its owner, in the order of the list', () => {
    expect(plan()).toEqual([
      'SEARCH clients USING INDEX clients_of_owner (owner=? AND (createdAt,_id)<(?,?))',
    ]);
  });

  it('searches by the prefix of names and addresses, and reads only matching clients', () => {
    expect(plan(undefined, 'acme')).toEqual([
      'SEARCH clients USING PRIMARY KEY (_id=?)',
      'SEARCH clients USING COVERING INDEX clients_of_owner_by_name (owner=? AND searchName>? AND searchName<?)',
      'SEARCH clients USING COVERING INDEX clients_of_owner_by_email (owner=? AND searchEmail>? AND searchEmail<?)',
    ]);
  });

  it.each([undefined, 'acme'])('reads one client by its id (search: %j)', (search) => {
    expect(new Set(plan('a client', search))).toEqual(
      new Set(['SEARCH clients USING PRIMARY KEY (_id=?)']),
    );
  });
});
