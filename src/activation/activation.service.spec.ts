import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FakeClock } from '../../test/fake-clock.js';
import { NO_QUOTAS } from '../../test/no-limits.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { issueLicense, type License } from '../licenses/license.js';
import { createdEvent, licenseEvent, type LicenseEvent } from '../licenses/license-event.js';
import type { Activation } from '../licenses/licenses.repository.js';
import type { Config } from '../shared/config/config.js';
import { toAccountId } from '../shared/ids/account-id.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { SqliteClientsRepository } from '../storage/sqlite/repositories/sqlite-clients.repository.js';
import { SqliteDeploymentRepository } from '../storage/sqlite/repositories/sqlite-deployment.repository.js';
import { SqliteIdempotencyRepository } from '../storage/sqlite/repositories/sqlite-idempotency.repository.js';
import { SqliteLicenseEventsRepository } from '../storage/sqlite/repositories/sqlite-license-events.repository.js';
import { SqliteLicenseTable } from '../storage/sqlite/repositories/sqlite-license-table.js';
import { SqliteLicensesRepository } from '../storage/sqlite/repositories/sqlite-licenses.repository.js';
import { SqliteProjectsRepository } from '../storage/sqlite/repositories/sqlite-projects.repository.js';
import { SqliteQuotas } from '../storage/sqlite/repositories/sqlite-quotas.js';
import { SqliteStore } from '../storage/sqlite/connection/sqlite-store.js';
import { ActivationService } from './activation.service.js';
import { MachineIdProvider } from './machine-id.provider.js';

const USER = toAccountId('1'.repeat(24));
const [CLIENT, PROJECT, LICENSE] = ['2', '3', '4'].map((digit) => digit.repeat(24)) as [
  string,
  string,
  string,
];
const config = {
  keyPrefix: 'LIC',
  machineId: 'machine-of-the-service',
  quotas: NO_QUOTAS,
} as Config;
const dataKeys = new DataKeys(Buffer.alloc(96, 1));
const keys = new LicenseKeyService(config, dataKeys);

/** The real store, with a hook that runs between the reading of a license and its activation. */
class RacingRepository extends SqliteLicensesRepository {
  meanwhile: () => Promise<unknown> = () => Promise.resolve();

  override async activate(
    _id: string,
    activation: Activation,
    event: LicenseEvent,
  ): Promise<License | null> {
    const happens = this.meanwhile;
    this.meanwhile = () => Promise.resolve();
    await happens();
    return super.activate(_id, activation, event);
  }
}

/** A broken store: the license stays PENDING and can never be activated. */
class BrokenRepository extends SqliteLicensesRepository {
  override async activate(): Promise<License | null> {
    return null;
  }
}

describe('ActivationService', () => {
  const clock = new FakeClock();
  const now = clock.now();
  const key = keys.generate(PROJECT);
  let dataDir: string;
  let store: SqliteStore;
  let events: SqliteLicenseEventsRepository;
  let licenses: RacingRepository;
  let machines: MachineIdProvider;
  let service: ActivationService;

  beforeEach(async () => {
    clock.set(now.toISOString());
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'activation-'));
    store = SqliteStore.open(dataDir);
    const records = new SqliteIdempotencyRepository(store, config);
    const quotas = new SqliteQuotas(store, config);
    events = new SqliteLicenseEventsRepository(store);
    const table = new SqliteLicenseTable(store, events);
    licenses = new RacingRepository(store, records, quotas, table);
    machines = new MachineIdProvider(config, new SqliteDeploymentRepository(store), dataKeys);
    await machines.onModuleInit();
    service = new ActivationService(licenses, events, keys, machines, clock);
    const times = { createdAt: now, updatedAt: now };
    const client = { _id: CLIENT, name: 'Acme', email: 'office@acme.test', owner: USER, ...times };
    const project = { _id: PROJECT, name: 'Shop', client: CLIENT, owner: USER, ...times };
    const owners = { user: USER, client: CLIENT, project: PROJECT, replaces: null };
    const terms = { duration: 6, services: ['Hosting'] as const };
    const issued = { _id: LICENSE, ...keys.store(key, LICENSE), ...terms, ...owners };
    const license = issueLicense(issued, now);
    await new SqliteClientsRepository(store, records, quotas).create(client);
    const projects = new SqliteProjectsRepository(store, records, quotas, table);
    await projects.createWithFirstLicense(project, { license, event: createdEvent(license) });
  });
  afterEach(() => {
    store.close();
    fs.rmSync(dataDir, { recursive: true });
  });

  const stored = () => licenses.findByKeyHash(keys.hash(key.toUpperCase()));
  const storedEvents = async () => {
    const { data } = await events.list(LICENSE, { limit: 100, after: undefined });
    return data.map(({ type, reason, count }) => ({ type, reason, count }));
  };
  const happened = (type: string) => ({ type, reason: null, count: 1 });
  const rejected = (reason: string, count = 1) => ({ type: 'activation_refused', reason, count });

  it('rejects the loser of a race for a license as another machine', async () => {
    licenses.meanwhile = () => service.activate(key, 'fingerprint-of-the-winner');
    expect(await service.activate(key, 'fingerprint-of-the-loser')).toEqual({
      outcome: 'other_machine',
    });
    const winner = machines.machineIdFor(PROJECT, 'fingerprint-of-the-winner');
    expect(await stored()).toMatchObject({ status: 'ACTIVE', machineId: winner });
  });

  it('activates once where one machine races with itself, and reports it as active after that', async () => {
    const responses = await Promise.all([service.activate(key), service.activate(key)]);
    expect(responses.map(({ outcome }) => outcome)).toEqual(['activated', 'already_active']);
  });

  it('binds a license once, however many machines race for it', async () => {
    const machine = (number: number) => `fingerprint-of-machine-${number}`;
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, number) => service.activate(key, machine(number))),
    );
    const outcomes = responses.map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'activated')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'other_machine')).toHaveLength(49);
    const winner = machines.machineIdFor(PROJECT, machine(outcomes.indexOf('activated')));
    expect((await stored())?.machineId).toBe(winner);
    expect(await storedEvents()).toEqual(
      expect.arrayContaining([
        happened('created'),
        happened('activated'),
        rejected('other_machine', 49),
      ]),
    );
  });

  it('stores one event of an activation, and none of a rejection of the same machine', async () => {
    for (let call = 0; call < 3; call++) await service.activate(key);
    expect(await storedEvents()).toHaveLength(2);
    expect(await storedEvents()).toEqual(
      expect.arrayContaining([happened('activated'), happened('created')]),
    );
  });

  it('stores no event of a validation, whatever its outcome', async () => {
    await service.activate(key);
    const before = await storedEvents();
    for (const fingerprint of [undefined, 'fingerprint-of-another']) {
      await service.validate(key, fingerprint);
    }
    expect(await storedEvents()).toEqual(before);
  });

  it('rejects a license that was revoked after it was read', async () => {
    const revocation = { revokedAt: now, revokedReason: null };
    const event = licenseEvent({ license: LICENSE, type: 'revoked', at: now });
    licenses.meanwhile = () => licenses.revoke(LICENSE, USER, revocation, event);
    expect(await service.activate(key)).toEqual({ outcome: 'revoked' });
    expect(await stored()).toMatchObject({ status: 'REVOKED', machineId: null });
    expect(await storedEvents()).toContainEqual(rejected('revoked'));
  });

  it('rejects an activation though its event cannot be stored, and returns why it cannot', async () => {
    await service.activate(key, 'fingerprint-of-the-winner');
    const failure = new Error('database or disk is full');
    jest.spyOn(events, 'recordRejection').mockRejectedValueOnce(failure);
    const outcome = await service.activate(key, 'fingerprint-of-the-loser');
    expect(outcome.outcome).toBe('other_machine');
    expect(outcome).toHaveProperty('unrecorded.cause', failure);
  });

  it('continues to reject activations while the disk is full', async () => {
    await service.activate(key, 'fingerprint-of-the-winner');
    const pages = store.database.prepare('PRAGMA page_count').get() as { page_count: number };
    store.database.exec(`PRAGMA max_page_count = ${pages.page_count}`);
    // Adds one event a day until the disk is full.
    for (let day = 0; day < 100; day++) {
      clock.advance({ seconds: 86_400 });
      const rejection = await service.activate(key, 'fingerprint-of-the-loser');
      expect(rejection.outcome).toBe('other_machine');
    }
    expect(await service.activate(key, 'fingerprint-of-the-loser')).toHaveProperty(
      'unrecorded.cause.message',
      'database or disk is full',
    );
  });

  it('fails instead of retrying forever where the store contradicts itself', async () => {
    const broken = new BrokenRepository(
      store,
      new SqliteIdempotencyRepository(store, config),
      new SqliteQuotas(store, config),
      new SqliteLicenseTable(store, events),
    );
    service = new ActivationService(broken, events, keys, machines, clock);
    await expect(service.activate(key)).rejects.toThrow('A license is PENDING again');
  });
});
