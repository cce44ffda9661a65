import { useFolder } from '../../../../test/use-folder.js';
import { SqliteStore } from '../connection/sqlite-store.js';
import { SqliteLicenseEventsRepository } from './sqlite-license-events.repository.js';

describe('the events of a license', () => {
  const folder = useFolder();

  it('have the ends of its certificates in an index', () => {
    const store = SqliteStore.open(folder());
    const prepare = jest.spyOn(store, 'prepare');
    new SqliteLicenseEventsRepository(store);
    const sql = prepare.mock.calls.map(([text]) => text).find((text) => text.includes('max(cert'));
    const plan = store.database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
    expect(plan.map(({ detail }) => detail)).toEqual([
      'SEARCH license_events USING COVERING INDEX certificates_of_license ' +
        '(license=? AND certificateExpiresAt>?)',
    ]);
    store.close();
  });
});
