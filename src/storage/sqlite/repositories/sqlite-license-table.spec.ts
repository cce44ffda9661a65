import { aClient } from '../../../../test/builders/client.builder.js';
import { aLicense } from '../../../../test/builders/license.builder.js';
import { aProject } from '../../../../test/builders/project.builder.js';
import { useFolder } from '../../../../test/use-folder.js';
import { createdEvent } from '../../../licenses/license-event.js';
import { SqliteStore } from '../connection/sqlite-store.js';
import { SqliteDeletedProjects } from './sqlite-deleted-projects.js';
import { SqliteLicenseEventsRepository } from './sqlite-license-events.repository.js';
import { SqliteLicenseTable } from './sqlite-license-table.js';

const CACHED = 20_000;

describe('SqliteLicenseTable', () => {
  const folder = useFolder();

  it(`caches the ${CACHED} licenses that were read last, and no more`, async () => {
    const store = SqliteStore.open(folder());
    store.database.exec('PRAGMA foreign_keys = OFF');
    const table = new SqliteLicenseTable(
      store,
      new SqliteLicenseEventsRepository(store),
      new SqliteDeletedProjects(store),
    );
    const { _id, keyHash, ...fields } = aLicense(aProject(aClient()));
    const license = { _id, keyHash, ...fields };
    await store.write(() => table.insert(license, createdEvent(license)));
    const columns = Object.keys(fields).join(', ');
    store.database.exec(`
      WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${CACHED})
      INSERT INTO licenses (_id, keyHash, ${columns})
        SELECT 'license ' || n, 'hash ' || n, ${columns} FROM licenses, numbers`);
    const read = (number: number) => table.findByKeyHash(`hash ${number}`);

    const [first, second] = [read(0), read(1)];
    for (let number = 2; number < CACHED; number++) read(number);
    expect(read(0)).toBe(first);
    read(CACHED);
    expect(read(0)).toBe(first);
    expect(read(1)).toStrictEqual(second);
    expect(read(1)).not.toBe(second);
    store.close();
  });
});
