// The limit of writes on SQLite: what a write stores, by the service's own statements, one durable transaction each.
import 'reflect-metadata';
import { CLIENTS } from '../../build/clients/client.js';
import { COLLECTIONS } from '../../build/collections.js';
import { EVENTS } from '../../build/events/event.js';
import { LICENSES } from '../../build/licenses/license.js';
import { MACHINES, recordId } from '../../build/machines/machine.js';
import { PROJECTS } from '../../build/projects/project.js';
import { TOTALS } from '../../build/shared/quotas/account-totals.js';
import { increment, insert, replace } from '../../build/storage/changes.js';
import { SqliteStore } from '../../build/storage/sqlite/connection/sqlite-store.js';
import { Table } from '../../build/storage/sqlite/table.js';
import { summary } from '../lib/statistics.mjs';

let database;
let tables;

const CHANGES = {
  activate({ keyHash, activation, machine, event }) {
    const before = tables.get(LICENSES).find({ keyHash });
    const { _id: license } = before;
    return [
      replace(LICENSES, before, { ...before, ...activation }),
      insert(MACHINES, { ...machine, _id: recordId(license, machine.machineId), license }),
      insert(EVENTS, { ...event, subject: license }),
    ];
  },
  createProject: ({ project, license, events }) => [
    increment(CLIENTS, project.client, { projectsCount: 1 }),
    increment(TOTALS, project.owner, { projectsCount: 1, licensesCount: 1 }),
    insert(PROJECTS, project),
    insert(LICENSES, license),
    ...events.map((event) => insert(EVENTS, event)),
  ],
};

/** Measures writes a second, and the median duration of a commit in milliseconds. */
function run(kind, records) {
  const commits = [];
  const begin = performance.now();
  for (const record of records) {
    const changes = CHANGES[kind](record);
    database.exec('BEGIN IMMEDIATE');
    changes.forEach((change) => tables.get(change.collection).make(change, []));
    const beforeCommit = performance.now();
    database.exec('COMMIT');
    commits.push(performance.now() - beforeCommit);
  }
  const seconds = (performance.now() - begin) / 1000;
  return { perSecond: records.length / seconds, commit: summary(commits).median };
}

function open(dataDir) {
  ({ database } = SqliteStore.open(dataDir, COLLECTIONS));
  const statements = new Map();
  const prepare = (sql) => {
    if (!statements.has(sql)) statements.set(sql, database.prepare(sql, { returnArrays: true }));
    return statements.get(sql);
  };
  tables = new Map(COLLECTIONS.map((each) => [each, new Table(each, prepare, 0)]));
}

process.on('message', ({ dataDir, kind, records }) => {
  if (dataDir) open(dataDir);
  process.send(dataDir ? 'open' : run(kind, records));
});
