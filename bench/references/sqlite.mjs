// The reference for writes on SQLite: a loop over the same statements on a copy of the store, one durable commit each.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { copies, serve, version } from './reference.mjs';

serve(async ({ dataDir, project }) => {
  const database = new DatabaseSync(path.join(dataDir, 'licenses.sqlite'));
  database.exec('PRAGMA synchronous = FULL');
  const statements = new Map();
  const prepare = (sql) => {
    if (!statements.has(sql)) statements.set(sql, database.prepare(sql));
    return statements.get(sql);
  };
  const find = (table, field = '1', value = 1) =>
    prepare(`SELECT * FROM ${table} WHERE ${field} = ? LIMIT 1`).get(value);
  const insert = (table, record) => {
    const marks = Object.keys(record).map(() => '?');
    const sql = `INSERT INTO ${table} (${Object.keys(record)}) VALUES (${marks})`;
    prepare(sql).run(...Object.values(record));
  };
  const update = (table, { _id, version: before }, fields) => {
    const names = Object.keys(fields).map((name) => `${name} = ?`);
    const sql = `UPDATE ${table} SET version = ?, ${names} WHERE _id = ? AND version = ?`;
    const { changes } = prepare(sql).run(version(), ...Object.values(fields), _id, before);
    if (changes !== 1) throw new Error(`Nothing was changed in ${table}`);
  };
  const increment = (table, _id, ...counters) => {
    const names = counters.map((name) => `${name} = ${name} + 1`);
    prepare(`UPDATE ${table} SET version = ?, ${names} WHERE _id = ?`).run(version(), _id);
  };
  const copy = await copies(find, () => randomBytes(12).toString('hex'));

  const writes = {
    activate({ keyHash }) {
      const license = find('licenses', 'keyHash', keyHash);
      update('licenses', license, copy.activation);
      insert('machines', copy.machineOf(license));
      insert('events', copy.event('license.activated', license._id));
    },
    createProject(client) {
      const created = copy.project(client);
      const license = copy.license(created);
      increment('clients', client._id, 'projectsCount');
      increment('totals', client.owner, 'projectsCount', 'licensesCount');
      insert('projects', created);
      insert('licenses', license);
      insert('events', copy.event('project.created', created._id));
      insert('events', copy.event('license.created', license._id));
    },
  };
  const operations = Object.entries(writes).map(([name, write]) => {
    const commit = (record) => {
      database.exec('BEGIN IMMEDIATE');
      write(record);
      database.exec('COMMIT');
    };
    return [name, commit];
  });
  const records = project
    ? prepare('SELECT keyHash FROM licenses WHERE project = ? ORDER BY random()').all(project)
    : prepare('SELECT _id, owner FROM clients').all();
  return { records, operations: Object.fromEntries(operations) };
});
