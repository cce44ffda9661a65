import { Test, type TestingModule } from '@nestjs/testing';
import { aClient } from '../../test/builders/client.builder.js';
import { anEvent } from '../../test/builders/event.builder.js';
import { aLicense, aNewLicense } from '../../test/builders/license.builder.js';
import { aProject } from '../../test/builders/project.builder.js';
import { at } from '../../test/builders/time.js';
import { QuotasModule } from '../../test/contract/quotas.module.js';
import { FakeClock } from '../../test/fake-clock.js';
import { useFolder } from '../../test/use-folder.js';
import { ClientsRepository } from '../clients/clients.repository.js';
import { LicenseEventsRepository } from '../licenses/license-events.repository.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { LicensesRepository } from '../licenses/licenses.repository.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import type { Config } from '../shared/config/config.js';
import { newObjectId } from '../shared/ids/object-id.js';
import { NO_METRICS } from '../shared/metrics/metrics.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { DeploymentRepository } from '../shared/sealing/deployment.repository.js';
import { SqliteStore } from '../storage/sqlite/connection/sqlite-store.js';
import { SqliteModule } from '../storage/sqlite/sqlite.module.js';
import { ActivationService } from './activation.service.js';
import { AccountKeys } from '../certificates/signing-keys/account-keys.service.js';
import { KeyPairs } from '../certificates/signing-keys/key-pairs.service.js';
import { SigningKeysRepository } from '../certificates/signing-keys/signing-keys.repository.js';
import { Signers } from '../certificates/signers.service.js';
import { MachineIdProvider } from './machine-id.provider.js';
import { OutcomeMetrics } from './outcome-metrics.js';

const config = { keyPrefix: 'LIC', machineId: 'machine-of-the-service' } as Config;
const dataKeys = new DataKeys(Buffer.alloc(96, 1));
const keys = new LicenseKeyService(config, dataKeys);

const client = aClient();
const project = aProject(client);
const key = keys.generate(project._id);
const _id = newObjectId();
const license = aLicense(project, { _id, ...keys.store(key, _id) });

describe('ActivationService', () => {
  const folder = useFolder();
  const clock = new FakeClock();
  let module: TestingModule;
  let events: LicenseEventsRepository;
  let licenses: LicensesRepository;
  let machines: MachineIdProvider;
  let service: ActivationService;

  beforeEach(async () => {
    clock.set(at(5).toISOString());
    const imports = [QuotasModule.of(), SqliteModule.forRoot(folder(), 'service')];
    module = await Test.createTestingModule({ imports }).compile();
    events = module.get(LicenseEventsRepository);
    licenses = module.get(LicensesRepository);
    machines = new MachineIdProvider(config, module.get(DeploymentRepository), dataKeys);
    await machines.onModuleInit();
    const keyPairs = new KeyPairs(dataKeys);
    const accountKeys = new AccountKeys(module.get(SigningKeysRepository), keyPairs, clock);
    const signers = new Signers(accountKeys, keyPairs, clock);
    const metrics = new OutcomeMetrics(NO_METRICS);
    service = new ActivationService(
      licenses,
      events,
      keys,
      machines,
      signers,
      config,
      clock,
      metrics,
    );
    await module.get(ClientsRepository).create(client);
    await module.get(ProjectsRepository).createWithFirstLicense(project, aNewLicense(license));
  });
  afterEach(() => module.close());

  const stored = () => licenses.findByKeyHash(keys.hash(key.toUpperCase()));
  const storedEvents = async () => {
    const { data } = await events.list(_id, { limit: 100, after: undefined });
    return data.map(({ type, reason, count }) => ({ type, reason, count }));
  };
  const happened = (type: string) => ({ type, reason: null, count: 1 });
  const rejected = (reason: string, count = 1) => ({ type: 'activation_refused', reason, count });

  it('activates once where one machine races with itself, and reports it as active after that', async () => {
    const responses = await Promise.all([service.activate({ key }), service.activate({ key })]);
    expect(responses.map(({ outcome }) => outcome)).toEqual(['activated', 'already_active']);
  });

  it('binds a license once, however many machines race for it', async () => {
    const machine = (number: number) => `fingerprint-of-machine-${number}`;
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, number) =>
        service.activate({ key, fingerprint: machine(number) }),
      ),
    );
    const outcomes = responses.map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'activated')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'other_machine')).toHaveLength(49);
    const machineId = machines.machineIdFor(project._id, machine(outcomes.indexOf('activated')));
    expect(await stored()).toMatchObject({ status: 'ACTIVE', machineId });
    expect(await storedEvents()).toEqual(
      expect.arrayContaining([
        happened('created'),
        happened('activated'),
        rejected('other_machine', 49),
      ]),
    );
  });

  it('stores one event of an activation, and none of a repetition by the same machine', async () => {
    for (let call = 0; call < 3; call++) await service.activate({ key });
    expect(await storedEvents()).toHaveLength(2);
    expect(await storedEvents()).toEqual(
      expect.arrayContaining([happened('activated'), happened('created')]),
    );
  });

  it('stores no event of a validation, whatever its outcome', async () => {
    await service.activate({ key });
    const before = await storedEvents();
    for (const fingerprint of [undefined, 'fingerprint-of-another']) {
      await service.validate({ key, ...(fingerprint && { fingerprint }) });
    }
    expect(await storedEvents()).toEqual(before);
  });

  it('rejects a license that was revoked after it was read', async () => {
    const activate = licenses.activate.bind(licenses);
    jest.spyOn(licenses, 'activate').mockImplementationOnce(async (...activation) => {
      const revocation = { revokedAt: clock.now(), revokedReason: null };
      await licenses.revoke(_id, client.owner, revocation, anEvent(license, 'revoked'));
      return activate(...activation);
    });
    expect(await service.activate({ key })).toEqual({ outcome: 'revoked' });
    expect(await stored()).toMatchObject({ status: 'REVOKED', machineId: null });
    expect(await storedEvents()).toContainEqual(rejected('revoked'));
  });

  it('continues to reject activations while the disk is full, and returns why no event is stored', async () => {
    await service.activate({ key, fingerprint: 'fingerprint-of-the-winner' });
    const { database } = module.get(SqliteStore);
    const pages = database.prepare('PRAGMA page_count').get() as { page_count: number };
    database.exec(`PRAGMA max_page_count = ${pages.page_count}`);
    // Adds one event a day until the disk is full.
    for (let day = 0; day < 100; day++) {
      clock.advance({ seconds: 86_400 });
      const rejection = await service.activate({ key, fingerprint: 'fingerprint-of-the-loser' });
      expect(rejection.outcome).toBe('other_machine');
    }
    expect(await service.activate({ key, fingerprint: 'fingerprint-of-the-loser' })).toHaveProperty(
      'unrecorded.cause.message',
      'database or disk is full',
    );
  });

  it('fails instead of retrying forever where the store contradicts itself', async () => {
    jest.spyOn(licenses, 'activate').mockResolvedValue(null);
    await expect(service.activate({ key })).rejects.toThrow('A license is PENDING again');
  });
});
