import { randomUUID } from 'node:crypto';
import { createConnection } from 'mongoose';
import type { SecurityLog } from '../../src/shared/logging/security-log.js';
import { loadDataKeys } from '../../src/shared/sealing/data-keys.js';
import type { Kind } from '../../src/storage/stored-records.js';
import { copyToMongo } from '../../src/storage/copy/copy-to-mongo.js';
import { aClient } from '../builders/client.builder.js';
import { anIdempotencyRecord } from '../builders/idempotency-record.builder.js';
import { aLogin, aSession } from '../builders/session.builder.js';
import { at } from '../builders/time.js';
import { SqliteUnderTest } from './sqlite.engine.js';
import { Stored } from './stored.js';

export const LICENSE_SECRET = 'a-key-for-wrapping-the-keys-of-tests-0';

/** The collection of each kind. */
export const COLLECTIONS: Record<Kind, string> = {
  deployment: 'deployment',
  users: 'users',
  deletedAccounts: 'deleted_accounts',
  sessions: 'sessions',
  loginAddresses: 'login_addresses',
  signingKeys: 'signing_keys',
  clients: 'clients',
  projects: 'projects',
  licenses: 'licenses',
  totals: 'totals',
  idempotencyRecords: 'idempotency_records',
};

/** A progress that nobody sees. */
export const UNSEEN = { begin: () => undefined, add: () => undefined };

/** A SQLite store of a deployment with records of every kind; some of its licenses are of a deleted project. */
export async function aDeployment(): Promise<SqliteUnderTest> {
  const store = await SqliteUnderTest.open();
  await loadDataKeys(
    store.deployment,
    { licenseSecret: LICENSE_SECRET, licenseSecretPrevious: undefined },
    {} as SecurityLog,
  );
  await store.deployment.keepFirst('machine-identity', 'a machine');
  const stored = new Stored(store);
  const user = await stored.user();
  await stored.user({ disabledAt: at(1) });
  await store.sessions.start(aSession(user), aLogin(user));
  await store.accountDeletion.deleteEmpty((await stored.user())._id, at(2));
  await stored.signingKeys({ retired: [{ kid: 'kid', x: 'x', retiredAt: at(1) }] });
  await store.clients.create(aClient(), anIdempotencyRecord());
  await stored.activeLicense();
  await stored.project(await stored.client({ name: 'Straße' }), { product: 'shop' });
  const { project } = await stored.project();
  await store.projects.deleteWithLicenses(project._id, project.owner, at(3));
  return store;
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

/** Copies a store that was left, as the command does. Returns what it tells the operator meanwhile. */
export async function copy(dataDir: string, uri: string, secret = LICENSE_SECRET) {
  const notes: string[] = [];
  const options = { dataDir, uri, licenseSecrets: [secret] };
  const copied = await copyToMongo(options, UNSEEN, (text) => notes.push(text));
  return { ...copied, notes };
}
