import fs from 'node:fs';
import { useFolder } from '../../../test/use-folder.js';
import { COLLECTIONS } from '../../collections.js';
import { compactStore, inspectStore } from './maintenance.js';
import { SqliteStore } from './sqlite-store.js';

describe('The file of a store', () => {
  const folder = useFolder();
  const EMAIL = 'erased-customer@example.com';

  /** Runs statements in the folder's store, as a service that then stops. */
  async function change(...statements: string[]): Promise<void> {
    const store = SqliteStore.open(folder(), COLLECTIONS);
    for (const statement of statements) store.database.exec(statement);
    await store.close();
  }
  const content = () => fs.readFileSync(folder('licenses.sqlite'), 'latin1');

  it('keeps no byte of a deleted record', async () => {
    await change(`INSERT INTO login_addresses VALUES ('${EMAIL.repeat(500)}', 1, 1, 1, 1)`);
    expect(content()).toContain(EMAIL);
    await change('DELETE FROM login_addresses');
    expect(content()).not.toContain(EMAIL);
  });

  it('shrinks by a compaction, which fails while a service uses the store', async () => {
    await change(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2000)
       INSERT INTO login_addresses SELECT hex(randomblob(400)), n, n, n, 1 FROM numbers`,
      'DELETE FROM login_addresses WHERE usedAt > 1',
    );
    const { before, after } = compactStore(folder());
    expect([before > 1e6, after < 8e5]).toEqual([true, true]);
    expect(inspectStore(folder())).toMatchObject({ bytes: after, dataKeys: undefined });
    const store = SqliteStore.open(folder(), COLLECTIONS);
    expect(() => compactStore(folder())).toThrow('Another process is using the store');
    await store.close();
  });

  it('is not inspected if a newer version has migrated it', async () => {
    await change('PRAGMA user_version = 9');
    expect(() => inspectStore(folder())).toThrow('has schema 9');
  });

  it('is not inspected if it belongs to another program', () => {
    fs.writeFileSync(folder('licenses.sqlite'), 'not a store'.repeat(100));
    expect(() => inspectStore(folder())).toThrow('is not a store of this service');
  });

  it('is not created by an inspection', () => {
    expect(inspectStore(folder('none'))).toBeUndefined();
    expect(fs.existsSync(folder('none'))).toBe(false);
  });
});
