import { generateKeyPairSync } from 'node:crypto';
import { activeUntil, aMachine } from '../../test/builders/license.builder.js';
import { at } from '../../test/builders/time.js';
import { LicenseServices } from '../../test/license-services.js';
import type { Signers } from '../certificates/signers.service.js';
import { activated, revoked } from '../licenses/license-transitions.js';
import { type License, LICENSES } from '../licenses/license.js';
import type { Project } from '../projects/project.js';
import { NO_METRICS } from '../metrics/metrics.js';
import { DeploymentItems } from '../shared/sealing/deployment-items.js';
import { replace } from '../storage/changes.js';
import { ActivationService } from './activation.service.js';
import { LastSeen } from './last-seen.service.js';
import { LicenseChecks } from './license-checks.service.js';
import { LicenseCertificates } from './license-certificates.service.js';
import { MachineIdProvider } from './machine-id.provider.js';
import { OutcomeMetrics } from './outcome-metrics.js';
import { Trials } from './trials.service.js';
import type { UnknownKeyLimiter } from '../licenses/unknown-key-limiter.js';

const { privateKey } = generateKeyPairSync('ed25519');
const signer = { issuer: 'issuer', kid: 'kid', privateKey };
const REQUEST = { product: 'shop', fingerprint: 'fingerprint-of-the-office' };

const ADDRESS = '192.0.2.1';
const unknownKeys = { count: jest.fn() };
const signers = { peek: jest.fn(), load: jest.fn() };
let services: LicenseServices;
let machines: MachineIdProvider;
let activation: ActivationService;
let certificates: LicenseCertificates;
let project: Project;
let license: License;

/** Stores another project with a PENDING license. */
const addLicense = async () => {
  project = await services.project({ product: 'shop' });
  license = await services.license(project);
};

beforeEach(async () => {
  signers.peek.mockReset().mockReturnValue(signer);
  signers.load.mockReset();
  services = new LicenseServices();
  await services.register();
  const { config, store, dataKeys, reader, events, decisions, clock } = services;
  machines = new MachineIdProvider(config, new DeploymentItems(store), dataKeys);
  await machines.onModuleInit();
  const signing = signers as unknown as Signers;
  const limiter = unknownKeys as unknown as UnknownKeyLimiter;
  const metrics = new OutcomeMetrics(NO_METRICS);
  const trials = new Trials(store, machines);
  const seen = new LastSeen(store, decisions, clock);
  const checks = new LicenseChecks(reader, machines, signing, limiter, config);
  activation = new ActivationService(checks, events, decisions, trials, seen, clock, metrics);
  certificates = new LicenseCertificates(
    ...([reader, events, decisions, machines, trials, signing, clock] as const),
  );
  await addLicense();
});

const activate = (fingerprint?: string) =>
  activation.activate(
    { key: services.keys.reveal(license), fingerprint: fingerprint ?? null },
    ADDRESS,
  );
const issue = () => certificates.issue(license._id, services.account, { ...REQUEST, days: 30 });
const stored = async () => (await services.store.find(LICENSES, { _id: license._id }))!;
const revoke = async () => {
  const before = await stored();
  const now = services.clock.now();
  const after = revoked(before, null, now);
  await services.put(
    replace(LICENSES, before, after),
    services.events.record('revoked', after, now),
  );
};

describe('an activation', () => {
  it('binds a license once, however many machines race for it', async () => {
    const machine = (number: number) => `fingerprint-of-machine-${number}`;
    const activations = Array.from({ length: 50 }, (_, number) => activate(machine(number)));
    const outcomes = (await Promise.all(activations)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'activated')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'other_machine')).toHaveLength(49);
    const machineId = machines.machineIdFor(project._id, machine(outcomes.indexOf('activated')));
    expect(await stored()).toMatchObject({ status: 'ACTIVE', machines: [{ machineId }] });
    expect(services.eventsOf(license)).toMatchObject([
      { type: 'license.activated', count: 1 },
      { type: 'license.activation_rejected', data: { reason: 'other_machine' }, count: 49 },
    ]);
  });

  it('rejects a license that was revoked after it was read', async () => {
    services.beforeNextCommit(revoke);
    expect(await activate()).toMatchObject({ outcome: 'revoked' });
    expect(await stored()).toMatchObject({ status: 'REVOKED', machines: [] });
    expect(services.eventsOf(license)).toMatchObject([
      { type: 'license.revoked' },
      { type: 'license.activation_rejected', data: { reason: 'revoked' }, count: 1 },
    ]);
  });
});

it('a rejected activation has no event where the project is deleted meanwhile, and no failure', async () => {
  await revoke();
  services.beforeNextCommit(() => services.delete(project));
  const outcome = await activate();
  expect(outcome).toMatchObject({ outcome: 'revoked' });
  expect(outcome).not.toHaveProperty('unrecorded');
  expect(services.typesOf(license)).toEqual(['license.revoked']);
});

describe('the certificate of an activation', () => {
  const check = () =>
    ({ key: services.keys.reveal(license), ...REQUEST, certificate: true }) as const;

  it('is not signed for a license that was revoked while the keys were loaded', async () => {
    await activation.activate(check(), ADDRESS);
    signers.peek.mockReturnValueOnce(undefined);
    signers.load.mockImplementation(async () => {
      await revoke();
      return signer;
    });
    expect(await activation.validate(check(), ADDRESS)).toMatchObject({
      status: 'revoked',
      certificate: undefined,
    });
  });

  it('is not found where the account was deleted', async () => {
    signers.peek.mockReturnValue(undefined);
    signers.load.mockResolvedValue(undefined);
    expect(await activation.activate(check(), ADDRESS)).toEqual({ outcome: 'not_found' });
    expect(await activation.validate(check(), ADDRESS)).toEqual({ status: 'invalid' });
    const { key } = check();
    expect(unknownKeys.count.mock.calls).toEqual([
      [ADDRESS, key],
      [ADDRESS, key],
    ]);
  });
});

describe('a certificate for a machine without a network', () => {
  it('is not issued where the license was bound to another machine meanwhile', async () => {
    services.beforeNextCommit(async () => {
      const before = await stored();
      await services.put(
        replace(LICENSES, before, activated(before, { machineId: 'machine 2' }, at(5))),
      );
    });
    await expect(issue()).rejects.toMatchObject({ code: 'LICENSE_BOUND_ELSEWHERE' });
    expect(services.eventsOf(license)).toEqual([]);
  });

  it('is not issued in the last second of the license', async () => {
    const machineId = machines.machineIdFor(project._id, REQUEST.fingerprint);
    license = await services.license(project, {
      ...activeUntil(at(5.0001)),
      machines: [aMachine(machineId)],
    });
    await expect(issue()).rejects.toMatchObject({ code: 'LICENSE_TERM_ENDED' });
  });

  it('is known to a reissue that began before it was issued', async () => {
    const machineId = machines.machineIdFor(project._id, REQUEST.fingerprint);
    const term = activeUntil(new Date('2027-01-01T00:00:00.000Z'));
    license = await services.license(project, { ...term, machines: [aMachine(machineId)] });
    const elsewhere = services.anotherInstance();
    services.beforeNextCommit(issue);
    const reissued = await elsewhere.licenses.reissue(license._id, services.account, undefined);
    const end = Math.floor(at(5).getTime() / 1000 + 30 * 86_400) * 1000;
    expect(reissued.revoked.certificatesEndAt).toEqual(new Date(end));
  });
});

it.each<[string, () => Promise<unknown>, object]>([
  ['an activation', () => activate(), { outcome: 'not_found' }],
  ['the issue of a certificate', issue, { code: 'LICENSE_NOT_FOUND' }],
])('%s and the deletion of the project exclude each other', async (_what, bind, rejection) => {
  services.beforeNextCommit(() => services.delete(project));
  expect(await bind().catch((error: unknown) => error)).toMatchObject(rejection);
  expect(await stored()).toEqual(license);
  expect(services.eventsOf(license)).toEqual([]);
  await addLicense();
  services.beforeNextCommit(bind);
  await expect(services.delete(project)).rejects.toThrow('The change remove could not be made');
});
