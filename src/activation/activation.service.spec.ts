import { generateKeyPairSync } from 'node:crypto';
import { LicenseServices } from '../../test/license-services.js';
import type { CertificateClaims } from '../certificates/certificate.js';
import type { Signers } from '../certificates/signers.service.js';
import type { Project } from '../projects/project.js';
import { type License, LICENSES } from '../licenses/license.js';
import { NO_METRICS } from '../shared/metrics/metrics.js';
import { DeploymentItems } from '../shared/sealing/deployment-items.js';
import { insert, replace } from '../storage/changes.js';
import { revoked } from '../licenses/license-transitions.js';
import { EVENTS, licenseEvent } from '../licenses/license-event.js';
import { ActivationService } from './activation.service.js';
import { MachineIdProvider } from './machine-id.provider.js';
import { OutcomeMetrics } from './outcome-metrics.js';

const { privateKey } = generateKeyPairSync('ed25519');
const DAY = 86_400;

describe('ActivationService', () => {
  const signers = { peek: jest.fn(), load: jest.fn() };
  let services: LicenseServices;
  let machines: MachineIdProvider;
  let service: ActivationService;
  let project: Project;
  let license: License;
  let key: string;

  beforeEach(async () => {
    services = new LicenseServices();
    const { config, store, dataKeys, clock } = services;
    machines = new MachineIdProvider(config, new DeploymentItems(store), dataKeys);
    await machines.onModuleInit();
    service = new ActivationService(
      services.reader,
      services.events,
      services.decisions,
      machines,
      signers as unknown as Signers,
      config,
      clock,
      new OutcomeMetrics(NO_METRICS),
    );
    project = await services.project({ product: 'shop' });
    license = await services.license(project);
    key = services.keys.reveal(license);
  });

  const stored = async () => (await services.store.find(LICENSES, { _id: license._id }))!;
  const outcomeOf = async (fingerprint?: string | null) =>
    (await service.activate({ key, fingerprint: fingerprint ?? null })).outcome;
  const revoke = async () => {
    const before = await stored();
    const after = revoked(before, null, services.clock.now());
    const event = licenseEvent(after, 'revoked', services.clock.now());
    await services.put(replace(LICENSES, before, after), insert(EVENTS, event));
  };

  it('binds a PENDING license, begins its term and stores one event', async () => {
    const { clock } = services;
    expect(await service.activate({ key })).toMatchObject({
      outcome: 'activated',
      license: { status: 'ACTIVE', activatedAt: clock.now(), termStart: clock.now() },
      certificate: undefined,
    });
    const machineId = machines.machineIdFor(project._id);
    expect(await stored()).toMatchObject({ status: 'ACTIVE', machineId, activatedAt: clock.now() });
    expect(services.eventsOf(license)).toMatchObject([
      { type: 'activated', at: clock.now(), actor: null, machineId },
    ]);
  });

  it('changes nothing where the same machine activates again', async () => {
    await service.activate({ key });
    const before = await stored();
    for (let call = 0; call < 3; call++) expect(await outcomeOf()).toBe('already_active');
    expect(await stored()).toEqual(before);
    expect(services.typesOf(license)).toEqual(['activated']);
  });

  it('activates once where one machine races with itself, and reports it as active after that', async () => {
    const outcomes = await Promise.all([outcomeOf(), outcomeOf()]);
    expect(outcomes.toSorted()).toEqual(['activated', 'already_active']);
  });

  it('binds a license once, however many machines race for it', async () => {
    const machine = (number: number) => `fingerprint-of-machine-${number}`;
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, number) => outcomeOf(machine(number))),
    );
    expect(outcomes.filter((outcome) => outcome === 'activated')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'other_machine')).toHaveLength(49);
    const machineId = machines.machineIdFor(project._id, machine(outcomes.indexOf('activated')));
    expect(await stored()).toMatchObject({ status: 'ACTIVE', machineId });
    expect(services.eventsOf(license)).toMatchObject([
      { type: 'activated', count: 1 },
      { type: 'activation_rejected', reason: 'other_machine', count: 49 },
    ]);
  });

  it('rejects a license that was revoked after it was read', async () => {
    services.beforeNextCommit(revoke);
    expect(await service.activate({ key })).toEqual({ outcome: 'revoked' });
    expect(await stored()).toMatchObject({ status: 'REVOKED', machineId: null });
    expect(services.eventsOf(license)).toMatchObject([
      { type: 'revoked' },
      { type: 'activation_rejected', reason: 'revoked', count: 1 },
    ]);
  });

  it('and the deletion of its project exclude each other', async () => {
    services.beforeNextCommit(() => services.delete(project));
    expect(await service.activate({ key })).toEqual({ outcome: 'not_found' });
    expect(await stored()).toEqual(license);
    expect(services.eventsOf(license)).toEqual([]);
    const kept = await services.project();
    key = services.keys.reveal(await services.license(kept));
    services.beforeNextCommit(() => service.activate({ key }));
    await expect(services.delete(kept)).rejects.toThrow('The change remove could not be made');
  });

  it('decides by the product that the project was given meanwhile', async () => {
    project = await services.project();
    license = await services.license(project);
    key = services.keys.reveal(license);
    const check = { key, product: 'wiki' };
    expect(await service.validate(check)).toEqual({ status: 'invalid' });
    await services.setProduct(project, 'wiki');
    expect(await service.validate(check)).toMatchObject({ status: 'pending' });
    expect(await service.activate(check)).toMatchObject({ license: { product: 'wiki' } });
    expect(await service.validate({ key, product: project._id })).toMatchObject({
      status: 'active',
    });
    expect(await service.validate({ key, product: 'shop' })).toEqual({ status: 'invalid' });
  });

  it('finds neither a malformed key, nor one of another product', async () => {
    for (const check of [{ key: 'no key' }, { key, product: 'Shop' }]) {
      expect(await service.activate(check)).toEqual({ outcome: 'not_found' });
      expect(await service.validate(check)).toEqual({ status: 'invalid' });
    }
    expect(await stored()).toEqual(license);
  });

  describe('a validation', () => {
    it('changes nothing, whatever its outcome', async () => {
      await service.activate({ key });
      const before = [await stored(), services.eventsOf(license)];
      const commit = jest.spyOn(services.store, 'commit');
      expect(await service.validate({ key })).toMatchObject({ status: 'active' });
      const other = { key, fingerprint: 'fingerprint-of-another' };
      expect(await service.validate(other)).toMatchObject({ status: 'machine_mismatch' });
      expect(commit).not.toHaveBeenCalled();
      expect([await stored(), services.eventsOf(license)]).toEqual(before);
    });

    it('reads a license and its project in one tick, and nothing else', async () => {
      const find = jest.spyOn(services.store, 'find');
      const validated = service.validate({ key });
      expect(find).toHaveBeenCalledTimes(2);
      await validated;
      expect(find).toHaveBeenCalledTimes(2);
    });
  });

  describe('a rejection', () => {
    beforeEach(() => service.activate({ key, fingerprint: 'fingerprint-of-the-winner' }));

    it('is stored with its reason: another machine, the end of the term, a revocation', async () => {
      expect(await outcomeOf('fingerprint-of-the-loser')).toBe('other_machine');
      services.clock.advance({ seconds: 366 * DAY });
      expect(await outcomeOf('fingerprint-of-the-loser')).toBe('expired');
      await revoke();
      expect(await outcomeOf('fingerprint-of-the-winner')).toBe('revoked');
      const rejections = services
        .eventsOf(license)
        .filter(({ type }) => type === 'activation_rejected');
      expect(rejections.map(({ reason }) => reason)).toEqual([
        'other_machine',
        'expired',
        'revoked',
      ]);
    });

    it('has the same outcome where its event cannot be stored, with the reason for the log', async () => {
      const failure = new Error('database or disk is full');
      jest.spyOn(services.store, 'commit').mockRejectedValueOnce(failure);
      const rejection = await service.activate({ key, fingerprint: 'fingerprint-of-the-loser' });
      expect(rejection).toMatchObject({ outcome: 'other_machine', unrecorded: { cause: failure } });
    });
  });

  describe('a certificate', () => {
    const fingerprint = 'fingerprint-of-the-machine';
    const check = () => ({ key, fingerprint, product: 'shop', certificate: true }) as const;
    const signer = { issuer: 'issuer', kid: 'kid', privateKey };
    const claimsOf = (certificate: string) =>
      JSON.parse(
        Buffer.from(certificate.split('.')[1]!, 'base64url').toString(),
      ) as CertificateClaims;

    beforeEach(() => {
      signers.peek.mockReturnValue(signer);
    });
    afterEach(() => {
      signers.peek.mockReset();
      signers.load.mockReset();
    });

    it('is signed for the activated license, and for the active one', async () => {
      for (const outcome of ['activated', 'already_active']) {
        const activation = await service.activate(check());
        expect(activation).toMatchObject({ outcome, certificate: expect.any(String) as string });
      }
      const validation = await service.validate(check());
      expect(validation).toMatchObject({ status: 'active' });
      expect(claimsOf((validation as { certificate: string }).certificate).sub).toBe(license._id);
    });

    it('is not signed for a license that was revoked while the keys were loaded', async () => {
      await service.activate(check());
      signers.peek.mockReturnValueOnce(undefined);
      signers.load.mockImplementation(async () => {
        await revoke();
        return signer;
      });
      expect(await service.validate(check())).toMatchObject({
        status: 'revoked',
        certificate: undefined,
      });
    });

    it('is not found where the account was deleted', async () => {
      signers.peek.mockReturnValue(undefined);
      signers.load.mockResolvedValue(undefined);
      expect(await service.activate(check())).toEqual({ outcome: 'not_found' });
      expect(await service.validate(check())).toEqual({ status: 'invalid' });
    });
  });

  it('fails where a change of another request comes between each time', async () => {
    jest
      .spyOn(services.store, 'commit')
      .mockImplementation(async ([failed]) => ({ ok: false, failed: failed! }));
    await expect(service.activate({ key })).rejects.toMatchObject({ code: 'OVERLOADED' });
  });
});
