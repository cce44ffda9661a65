import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { mongo } from 'mongoose';
import {
  MIGRATIONS_COLLECTION,
  UNFINISHED_COPY,
} from '../../src/storage/mongo/migrations/prepare-database.js';
import { contradictionsIn } from '../contradictions.js';
import { DeletionStore } from '../deletion-store.js';
import { LAPTOP, PASSWORD } from '../e2e/developer.js';
import { signingKeysOf, verifyCertificate } from '../e2e/certificates/verify-certificate.js';
import { describeOnMongo, ENGINES, newStore } from '../engines.js';
import { NO_LIMITS } from '../no-limits.js';
import { withStore } from '../with-store.js';
import { expectOneSentence } from './one-sentence.js';
import { Operator } from './operator.js';
import type { RunningProcess } from './running-process.js';
import type { RunningService } from './running-service.js';

const PROGRAM = 'dist/cli/migrate-to-mongodb.js';
const LICENSES = 2_000;

const INTERRUPTED = /Interrupted: run the command again, which begins anew\.\n$/;

/** Looks into a database beside the service. */
async function within<T>(uri: string, work: (database: mongo.Db) => Promise<T>): Promise<T> {
  const client = await new mongo.MongoClient(uri).connect();
  try {
    return await work(client.db());
  } finally {
    await client.close();
  }
}

describeOnMongo('npm run migrate-to-mongodb', () => {
  const operator = new Operator(NO_LIMITS);
  const { MONGODB_URI: uri = '' } = ENGINES.includes('MongoDB') ? newStore('MongoDB') : {};
  afterAll(() => operator.leave());

  const migrate = (env: NodeJS.ProcessEnv = {}) =>
    operator.begin(PROGRAM, [], { MONGODB_URI: uri, ...env });
  const secretIn = (name: string) => fs.readFileSync(operator.path('data', name), 'utf8').trim();

  it('moves a store, though it is killed and interrupted, and the service keeps every promise that it has made', async () => {
    const first = await operator.start();
    const [ada, disabled, carol] = [
      await first.register(),
      await first.register(),
      await first.register(),
    ];
    const [license, revoked] = [await first.createLicense(ada), await first.createLicense(ada)];
    await first.activate(license, LAPTOP);
    await first.post(`/licenses/${revoked._id}/revoke`, { reason: 'Unpaid' }, ada);
    const call = { ...ada, headers: { 'Idempotency-Key': randomUUID() } };
    const client = { name: 'Straße & Söhne', email: 'office@example.com' };
    const created = await first.post('/clients', client, call);
    const hidden = await first.createLicense(carol);
    await first.end('SIGTERM');
    await operator.user('disable', disabled.email);
    const deletion = new DeletionStore({ DATA_DIR: operator.path('data') });
    await deletion.fill(hidden.project, LICENSES);

    const read = async (service: RunningService) => {
      const paths = ['/auth/me', '/dashboard', '/signing-keys', `/licenses/${license._id}/events`];
      const responses = await Promise.all(paths.map((path) => service.get(path, ada)));
      const statuses = await Promise.all([
        service.validationOf(license, LAPTOP),
        service.validationOf(license),
        service.validationOf(revoked),
      ]);
      return [...responses.map(({ status, body }) => [status, body as object]), statuses];
    };
    const source = await operator.start();
    const before = await read(source);
    expect(before.at(-1)).toEqual(['active', 'machine_mismatch', 'revoked']);
    const rejected = await migrate().ended;
    expectOneSentence(rejected, 'Another process is using the store', 'stop it');
    const deleted = await source.delete(`/projects/${hidden.project}`, carol);
    await source.end('SIGKILL');
    expect([deleted.status, await deletion.isRemoving()]).toEqual([204, true]);

    const secrets = {
      JWT_SECRET: secretIn('jwt-secret'),
      LICENSE_SECRET: secretIn('license-secret'),
    };
    const hashes = hashesOf(operator.path('data'));
    await within(uri, async (target) => {
      const isUnfinished = async () =>
        (await target.collection<{ _id: string }>(MIGRATIONS_COLLECTION).findOne({
          _id: UNFINISHED_COPY,
        })) !== null;
      for (const least of [1, LICENSES / 2]) {
        const killed = migrate();
        await untilCopied(target, least, killed);
        await killed.end('SIGKILL');
      }
      // On a slow machine a signal may come when the copy is complete.
      if (await isUnfinished()) {
        expectOneSentence(
          await operator.startInVain({ MONGODB_URI: uri, ...secrets }),
          'holds an unfinished copy',
          'npm run migrate-to-mongodb',
        );
        const interrupted = migrate();
        await interrupted.untilStderr(/Verifying/);
        const { code, stderr } = await interrupted.end('SIGINT');
        if (code !== 0) expect(stderr).toMatch(INTERRUPTED);
      }
      if (!(await isUnfinished())) await target.dropDatabase();
    });
    const { code, stdout, stderr } = await migrate().ended;
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('Verifying') as string,
    });
    for (const [name, secret] of Object.entries(secrets)) {
      const file = operator.path('data', name.toLowerCase().replace('_', '-'));
      expect(stdout).toContain(`${name}: the text in ${file}`);
      expect(stdout + stderr).not.toContain(secret);
    }
    expect(hashesOf(operator.path('data'))).toEqual(hashes);

    const service = await operator.start({ MONGODB_URI: uri, ...secrets });
    expect(await read(service)).toEqual(before);
    expect((await service.post('/clients', client, call)).body).toEqual(created.body);
    const { refreshToken } = ada;
    const refresh = () => service.post('/auth/refresh', { refreshToken });
    expect([(await refresh()).status, (await refresh()).status]).toEqual([200, 401]);
    expect((await service.logIn(ada)).token).toEqual(expect.any(String));
    const credentials = { email: disabled.email, password: PASSWORD };
    expect((await service.post('/auth/login', credentials)).status).toBe(403);
    expect((await service.get('/licenses', carol)).body.data).toEqual([]);
    expect(await service.validationOf(hidden)).toBe('invalid');
    const moved = new DeletionStore({ MONGODB_URI: uri, ...secrets });
    while (await moved.isRemoving()) await setTimeout(50);
    expect(await moved.count(hidden.project)).toBe(0);

    const keys = await signingKeysOf(service, await service.logIn(ada));
    const request = { key: license.key, fingerprint: LAPTOP, product: license.project };
    const { body } = await service.post('/validate', { ...request, certificate: true });
    expect(verifyCertificate(body.certificate, keys).kid).toBe(keys.current.kid);
    await service.end('SIGTERM');
    expect(await withStore({ MONGODB_URI: uri, ...secrets }, contradictionsIn)).toEqual([]);

    const again = await migrate().ended;
    expectOneSentence(again, 'is not empty', 'MONGODB_URI');
    const missing = await migrate({ DATA_DIR: 'nowhere' }).ended;
    expectOneSentence(missing, 'There is no store in', 'set DATA_DIR');
    expect(fs.existsSync(operator.path('nowhere'))).toBe(false);
  });
});

/**
 * Waits until a command has copied `least` licenses, or has ended. The estimated count reads no documents: a command that begins
 * anew drops the collection, which would fail a count that is reading it.
 */
async function untilCopied(target: mongo.Db, least: number, command: RunningProcess) {
  while (
    !command.hasEnded &&
    (await target.collection('licenses').estimatedDocumentCount()) < least
  )
    continue;
}

/** The hash of the store and the secrets of a folder; of the store as it is after a checkpoint. */
function hashesOf(folder: string): string[] {
  const database = new DatabaseSync(`${folder}/licenses.sqlite`);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  return ['licenses.sqlite', 'jwt-secret', 'license-secret'].map((name) =>
    createHash('sha256')
      .update(fs.readFileSync(`${folder}/${name}`))
      .digest('hex'),
  );
}
