import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { DATABASE_INFO } from '../../src/storage/mongo/prepare-database.js';
import { contradictionsIn } from '../contradictions.js';
import { verifyCertificate } from '../e2e/certificates/certificates.js';
import { LAPTOP } from '../e2e/developer.js';
import { describeOnMongo, ENGINES, newStore, SECRETS } from '../engines.js';
import { NO_LIMITS } from '../no-limits.js';
import { withStore } from '../with-store.js';
import { expectOneSentence, type RunningService, useOperator } from './operator.js';

const LICENSES = 2_000;

// Each kind of record has its case in test/contract/migrations/mongo-start.cases.ts.
describeOnMongo('npm run migrate-to-mongodb', () => {
  const operator = useOperator(NO_LIMITS);
  const { MONGODB_URI: uri = '' } = ENGINES.includes('MongoDB') ? newStore('MongoDB') : {};

  const migrate = (env: NodeJS.ProcessEnv = {}) =>
    operator.command(['migrate-to-mongodb'], { MONGODB_URI: uri, ...env });
  const data = (...names: string[]) => operator.path('data', ...names);
  /** The hashes of the store and the copied secrets. */
  const hashes = () =>
    ['licenses.sqlite', 'jwt-secret', 'license-secret'].map((name) =>
      createHash('sha256')
        .update(fs.readFileSync(data(name)))
        .digest('hex'),
    );

  it('moves a store despite being killed twice, and loses no acknowledged write', async () => {
    const first = await operator.start();
    const ada = await first.register();
    const [license, revoked] = [await first.createLicense(ada), await first.createLicense(ada)];
    await first.activate(license, LAPTOP);
    await first.post(`/licenses/${revoked._id}/revoke`, { reason: 'Unpaid' }, ada);
    const bob = await first.register();
    await first.addLicenses(bob, (await first.createLicense(bob)).project, LICENSES);

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
    const before = await read(first);
    expect(before.at(-1)).toEqual(['active', 'machine_mismatch', 'revoked']);
    expectOneSentence(await migrate().ended, 'Another process is using the store', 'Stop it');
    await first.end('SIGTERM');

    // Would fail the migration below if it wrote anything.
    const doctor = await operator.command(['doctor'], { MONGODB_URI: uri, ...SECRETS }).ended;
    expect(doctor.stdout).toMatch(
      /note {5}the database \S+ is empty: the first start prepares it\n$/,
    );
    const copied = hashes();
    const mongod = await new mongo.MongoClient(uri).connect();
    try {
      const target = mongod.db();
      const isUnfinished = async () =>
        (await target.collection(DATABASE_INFO).findOne({ isUnfinishedCopy: true })) !== null;
      for (const least of [1, LICENSES / 2]) {
        const killed = migrate();
        await untilCopied(target, least, killed);
        await killed.end('SIGKILL');
      }
      if (!(await isUnfinished())) await target.dropDatabase();
    } finally {
      await mongod.close();
    }
    const { code, stdout, stderr } = await migrate().ended;
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^Copied /) as string,
    });
    const secrets = {
      JWT_SECRET: fs.readFileSync(data('jwt-secret'), 'utf8').trim(),
      LICENSE_SECRET: fs.readFileSync(data('license-secret'), 'utf8').trim(),
    };
    for (const [name, secret] of Object.entries(secrets)) {
      const file = data(name.toLowerCase().replace('_', '-'));
      expect(stdout).toContain(`${name}: the text in ${file}`);
      expect(stdout + stderr).not.toContain(secret);
    }
    expect(hashes()).toEqual(copied);

    const service = await operator.start({ MONGODB_URI: uri, ...secrets });
    expect(await read(service)).toEqual(before);
    const keys = await service.signingKeysOf(ada);
    const request = { key: license.key, fingerprint: LAPTOP, product: license.project };
    const { body } = await service.post('/validate', { ...request, certificate: true });
    expect(verifyCertificate(body.certificate, keys).kid).toBe(keys.current.kid);
    await service.end('SIGTERM');
    expect(await withStore({ MONGODB_URI: uri, ...secrets }, contradictionsIn)).toEqual([]);

    expectOneSentence(await migrate().ended, 'is not empty', 'MONGODB_URI');
    const missing = await migrate({ DATA_DIR: 'nowhere' }).ended;
    expectOneSentence(missing, 'There is no store in', 'Set DATA_DIR');
    expect(fs.existsSync(operator.path('nowhere'))).toBe(false);
  });
});

/**
 * Waits until a command has copied `least` licenses, or has ended. The estimated count reads no documents: a command that starts
 * over drops the collection, which would fail a count in progress.
 */
async function untilCopied(
  target: mongo.Db,
  least: number,
  command: { readonly hasEnded: boolean },
) {
  const count = () => target.collection('licenses').estimatedDocumentCount();
  while (!command.hasEnded && (await count()) < least) await setTimeout(1);
}
