// The limit of writes on SQLite: the service's own statements on its own tables, one durable transaction each.
import 'reflect-metadata';
import { SqliteStore } from '../../dist/storage/sqlite/connection/sqlite-store.js';
import { toRow } from '../../dist/storage/sqlite/repositories/rows.js';
import { summary } from '../lib/statistics.mjs';
import { statementsOf } from '../lib/sqlite-world.mjs';

let store;
let statements;

const WRITES = {
  activate: ({ keyHash, activation, event }) => {
    const { _id } = statements.selectByKeyHash.get(keyHash);
    return () => {
      const row = statements.activate.get({ _id, user: null, ...activation });
      statements.insertEvent.run({ ...event, license: _id });
      return row !== undefined;
    };
  },
  createProject:
    ({ project, license, event }) =>
    () => {
      const { changes } = statements.insertProject.run(project);
      statements.insertLicense.run(license);
      statements.insertEvent.run(event);
      return changes === 1;
    },
};

/** Measures writes a second, and the median duration of a commit in milliseconds. */
function run(kind, records) {
  const write = WRITES[kind];
  const rows = records.map((record) =>
    Object.fromEntries(
      Object.entries(record).map(([name, part]) => [
        name,
        typeof part === 'string' ? part : toRow(part),
      ]),
    ),
  );
  const commits = [];
  const begin = performance.now();
  for (const row of rows) {
    const change = write(row);
    store.database.exec('BEGIN IMMEDIATE');
    if (!change()) throw new Error(`The loop could not ${kind}`);
    const beforeCommit = performance.now();
    store.database.exec('COMMIT');
    commits.push(performance.now() - beforeCommit);
  }
  const seconds = (performance.now() - begin) / 1000;
  return { perSecond: rows.length / seconds, commit: summary(commits).median };
}

process.on('message', ({ dataDir, kind, records }) => {
  if (dataDir) {
    store = SqliteStore.open(dataDir);
    statements = statementsOf(store);
    process.send('open');
  } else {
    process.send(run(kind, records));
  }
});
