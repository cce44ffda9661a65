import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { MIGRATIONS } from '../../../src/storage/sqlite/migrations/migrate.js';
import { SqliteSessionsRepository } from '../../../src/storage/sqlite/repositories/sqlite-sessions.repository.js';
import { SqliteStore } from '../../../src/storage/sqlite/connection/sqlite-store.js';
import { at } from '../../builders/time.js';
import {
  anEarlierSession,
  declareMigratedSessions,
  type EarlierSession,
} from '../earlier-sessions.js';

function put(database: DatabaseSyncInstance, { _id, user, expiresAt, tokens }: EarlierSession) {
  database.prepare('INSERT INTO sessions VALUES (?, ?, ?)').run(_id, user, expiresAt.getTime());
  const token = database.prepare('INSERT INTO refresh_tokens VALUES (?, ?, ?, ?)');
  for (const { tokenHash, expiresAt: end, spentAt } of tokens) {
    token.run(tokenHash, _id, end.getTime(), spentAt?.getTime() ?? null);
  }
}

describe('sessions of a SQLite store of schema 3', () => {
  let folder: string;
  let store: SqliteStore;
  const all = (sql: string) => store.database.prepare(sql).all() as object[];

  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'license-store-'));
    const database = new DatabaseSync(path.join(folder, 'licenses.sqlite'));
    database.function('search_form', String);
    database.exec(`${MIGRATIONS.slice(0, 3).join(' ')} PRAGMA user_version = 3`);
    put(database, anEarlierSession('user 1', at(60), 'latest of one', 'spent', 'spent 2'));
    put(database, anEarlierSession('user 1', at(61), 'latest of two', 'spent of two'));
    put(database, { ...anEarlierSession('user 1', at(62), ''), tokens: [] });
    for (let i = 0; i < 103; i++) {
      put(database, anEarlierSession('user 2', at(100 + i), `crowded ${i}`));
    }
    database
      .prepare("INSERT INTO users VALUES (?, 'Ada', 'ada@example.com', 'hash', 0, 0)")
      .run(newObjectId());
    database.close();
    store = SqliteStore.open(folder);
  });
  afterAll(() => {
    store.close();
    fs.rmSync(folder, { recursive: true });
  });

  it('are unchanged, but for those without a token and all but the newest 100 of an account', () => {
    expect(all("SELECT expiresAt FROM sessions WHERE user = 'user 1' ORDER BY 1")).toEqual(
      [60, 61].map((minute) => ({ expiresAt: at(minute).getTime() })),
    );
    expect(
      all("SELECT count(*) AS n, min(expiresAt) AS first FROM sessions WHERE user = 'user 2'"),
    ).toEqual([{ n: 100, first: at(103).getTime() }]);
    expect(all("SELECT 1 FROM sqlite_schema WHERE name = 'refresh_tokens'")).toEqual([]);
  });

  it('leave every account enabled', () => {
    expect(all('SELECT disabledAt FROM users')).toEqual([{ disabledAt: null }]);
  });

  declareMigratedSessions(() => new SqliteSessionsRepository(store));
});
