import { randomUUID } from 'node:crypto';
import { createConnection } from 'mongoose';
import type { SecurityLog } from '../../src/shared/logging/security-log.js';
import { loadDataKeys } from '../../src/shared/sealing/data-keys.js';
import { DEPLOYMENT } from '../../src/shared/sealing/deployment.js';
import { DeploymentItems } from '../../src/shared/sealing/deployment-items.js';
import { IDEMPOTENCY_RECORDS } from '../../src/shared/idempotency/idempotency-record.js';
import { insert } from '../../src/storage/changes.js';
import { copyToMongo } from '../../src/storage/copy/copy-to-mongo.js';
import { NOT_STORED } from '../../src/storage/collection.js';
import { anIdempotencyRecord } from '../builders/idempotency-record.builder.js';
import { Random } from '../random.js';
import { RandomChanges } from './random-changes.js';
import { aLabel, anItem, aShelf, at, COLLECTIONS, ITEMS, LABELS, SHELVES } from './records.js';
import { SqliteUnderTest } from './sqlite.engine.js';

export const LICENSE_SECRET = 'a-key-for-wrapping-the-keys-of-tests-0';

export const COPIED = [DEPLOYMENT, ...COLLECTIONS];

/** A progress that nobody sees. */
export const UNSEEN = { begin: () => undefined, add: () => undefined };

/** A SQLite store of a deployment with records of every kind. */
export async function aDeployment(commits = 0): Promise<SqliteUnderTest> {
  const opened = SqliteUnderTest.open(undefined, COPIED);
  const { store } = opened;
  const secrets = { licenseSecret: LICENSE_SECRET, licenseSecretPrevious: undefined };
  await loadDataKeys(new DeploymentItems(store), secrets, {} as SecurityLog);
  const values = { serial: 's', price: 1, replaces: 'f'.repeat(24), labels: ['a'], sizes: [1.5] };
  const data = { details: { at: at(1), $date: [null] }, note: { a: '' }, soldAt: at(-1) };
  const record = { ...anIdempotencyRecord(), result: { at: at(2) }, version: NOT_STORED };
  await store.commit([
    ...[insert(ITEMS, anItem({ ...values, ...data })), insert(ITEMS, anItem())],
    ...[
      insert(SHELVES, aShelf({ label: 'top', checkedAt: at(3) })),
      insert(LABELS, aLabel('\u{1f680}')),
    ],
    insert(IDEMPOTENCY_RECORDS, record),
  ]);
  const changes = new RandomChanges(new Random(7));
  const caller = { store, read: new Map() };
  for (let each = 0; each < commits; each += 1)
    await store.commit(await changes.next(true)(caller));
  return opened;
}

/** The URI of a new database. Its client has this application name, by which a test injects failures into its commands. */
export function newDatabase(appName: string = randomUUID()): string {
  const uri = new URL(String(process.env.TEST_MONGODB_URI));
  uri.pathname = `/copied-${randomUUID()}`;
  uri.searchParams.set('appName', appName);
  return uri.href;
}

export async function dropDatabase(uri: string): Promise<void> {
  const connection = await createConnection(uri).asPromise();
  await connection.dropDatabase();
  await connection.close();
}

/** Copies a store that was left, as the command does. */
export const copy = (dataDir: string, uri: string, secret = LICENSE_SECRET) =>
  copyToMongo({ dataDir, uri, licenseSecrets: [secret], collections: COPIED }, UNSEEN);
