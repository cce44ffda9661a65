import 'reflect-metadata';
import { loadConfig } from '../../dist/shared/config/load-config.js';
import { loadDataKeys } from '../../dist/shared/sealing/data-keys.js';
import { toRow, withSearchForms } from '../../dist/storage/sqlite/repositories/rows.js';
import { SqliteDeploymentRepository } from '../../dist/storage/sqlite/repositories/sqlite-deployment.repository.js';
import { SqliteLicenseEventsRepository } from '../../dist/storage/sqlite/repositories/sqlite-license-events.repository.js';
import { SqliteLicenseTable } from '../../dist/storage/sqlite/repositories/sqlite-license-table.js';
import { SqliteProjectsRepository } from '../../dist/storage/sqlite/repositories/sqlite-projects.repository.js';
import { SqliteStore } from '../../dist/storage/sqlite/connection/sqlite-store.js';
import { World } from './world.mjs';

/** The service's own prepared statements, taken from its repositories. */
export function statementsOf(store) {
  const events = new SqliteLicenseEventsRepository(store);
  const licenses = new SqliteLicenseTable(store, events);
  const projects = new SqliteProjectsRepository(store);
  return {
    insertProject: projects.insertBelowClient,
    insertLicense: licenses.insertOne,
    insertEvent: events.insertOne,
    selectByKeyHash: licenses.selectByKeyHash,
    activate: licenses.activateOne,
  };
}

/** Inserts records by one statement, as a call for each record takes longer than its insertion. */
function insertAll(store, table, records) {
  const rows = records.map(toRow);
  const columns = Object.keys(rows[0]);
  const sql = `INSERT INTO ${table} (${columns.join(', ')})
    SELECT ${columns.map((column) => `value ->> '${column}'`).join(', ')} FROM json_each(?)`;
  store.prepare(sql).run(JSON.stringify(rows));
}

/** Inserts the result of {@link World.makeUser}. The counters follow only if the store has its triggers. */
export function insertUser(store, { user, clients, projects, licenses, events }) {
  const insert = (table, records) => records.length > 0 && insertAll(store, table, records);
  insert('users', [user]);
  insert('clients', clients.map(withSearchForms));
  insert('projects', projects);
  insert('licenses', licenses);
  insert('license_events', events);
}

/** The world of a store that no process has open. */
export async function openWorld(dataDir) {
  const store = SqliteStore.open(dataDir);
  try {
    return await worldOf(store, dataDir);
  } finally {
    store.close();
  }
}

async function worldOf(store, dataDir) {
  const config = loadConfig({ DATA_DIR: dataDir });
  return new World(config, await loadDataKeys(new SqliteDeploymentRepository(store), config));
}

/**
 * Fills a new store of the service.
 *
 * @param {string} dataDir
 * @param {number} users the number of users
 * @param {object} size of each user; see {@link World.makeUser}
 * @returns the id, the first client and the keys of each user
 */
export async function fillSqlite(dataDir, users, size) {
  const store = SqliteStore.open(dataDir);
  const world = await worldOf(store, dataDir);
  const { database } = store;
  // Without indexes and triggers, as building them once is much faster than updating them for a million rows.
  const kept = database
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL")
    .all();
  database.exec('PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -500000');
  database.exec('BEGIN IMMEDIATE');
  kept.forEach(({ type, name }) => database.exec(`DROP ${type} ${name}`));
  const made = [];
  for (let i = 0; i < users; i++) {
    const one = world.makeUser(size);
    insertUser(store, one);
    made.push({ user: one.user._id, client: one.clients[0]._id, keys: one.keys });
  }
  const { clients, projects, pending, active } = size;
  database.exec(`
    UPDATE clients SET projectsCount = ${projects};
    UPDATE projects SET licensesCount = ${pending + active};
    INSERT INTO totals (owner, clientsCount, projectsCount, licensesCount)
      SELECT _id, ${clients}, ${clients * projects}, ${clients * projects * (pending + active)} FROM users;
  `);
  kept.forEach(({ sql }) => database.exec(sql));
  database.exec('COMMIT');
  store.close();
  return made;
}
