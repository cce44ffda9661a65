import { generateKeyPairSync } from 'node:crypto';
import { anIdempotencyRecord } from '../../test/builders/idempotency-record.builder.js';
import { activeUntil } from '../../test/builders/license.builder.js';
import { at } from '../../test/builders/time.js';
import { anyVersion, LicenseServices } from '../../test/license-services.js';
import type { CertificateClaims } from '../certificates/certificate.js';
import type { Signers } from '../certificates/signers.service.js';
import { EVENTS } from '../licenses/license-event.js';
import { activated } from '../licenses/license-transitions.js';
import { type License, LICENSES } from '../licenses/license.js';
import type { Project } from '../projects/project.js';
import { newAccountId } from '../shared/ids/account-id.js';
import { DeploymentItems } from '../shared/sealing/deployment-items.js';
import { replace } from '../storage/changes.js';
import { LicenseCertificates } from './license-certificates.service.js';
import { MachineIdProvider } from './machine-id.provider.js';

const { privateKey } = generateKeyPairSync('ed25519');
const signer = { issuer: 'issuer', kid: 'kid', privateKey };
const signers = { peek: () => signer } as unknown as Signers;
const REQUEST = { product: 'shop', fingerprint: 'fingerprint-of-the-office', days: 30 };
const NOW = at(5);
const IN_30_DAYS = new Date(Math.floor(NOW.getTime() / 1000 + 30 * 86_400) * 1000);

const claimsOf = (certificate: string) =>
  JSON.parse(Buffer.from(certificate.split('.')[1]!, 'base64url').toString()) as CertificateClaims;

describe('LicenseCertificates', () => {
  let services: LicenseServices;
  let certificates: LicenseCertificates;
  let project: Project;
  let license: License;
  let machineId: string;

  beforeEach(async () => {
    services = new LicenseServices();
    await services.register();
    const { config, store, dataKeys, reader, events, decisions, clock } = services;
    const machines = new MachineIdProvider(config, new DeploymentItems(store), dataKeys);
    certificates = new LicenseCertificates(reader, events, decisions, machines, signers, clock);
    project = await services.project({ product: 'shop' });
    license = await services.license(project);
    machineId = machines.machineIdFor(project._id, REQUEST.fingerprint);
  });

  const issue = (
    request: Partial<typeof REQUEST & { check: string }> = {},
    idempotency?: ReturnType<typeof anIdempotencyRecord>,
  ) => certificates.issue(license._id, services.account, { ...REQUEST, ...request }, idempotency);
  const stored = async () => (await services.store.find(LICENSES, { _id: license._id }))!;
  /** A license that is bound to the machine of the request. */
  const activeLicense = async (fields: Partial<License> = {}) => {
    license = await services.license(project, { ...activeUntil(at(90)), machineId, ...fields });
  };
  const expectRejected = async (issued: Promise<unknown>, code: string) => {
    await expect(issued).rejects.toMatchObject({ code });
    expect(await stored()).toEqual(license);
    expect(services.eventsOf(license)).toEqual([]);
  };

  it('activates a PENDING license for the machine, with both events', async () => {
    const issued = await issue();
    expect(issued.license).toEqual({ ...activated(license, machineId, NOW) });
    expect(await stored()).toEqual(anyVersion(issued.license));
    expect(claimsOf(issued.certificate)).toMatchObject({ iss: 'issuer', sub: license._id });
    expect(services.eventsOf(license)).toMatchObject([
      { type: 'activated', actor: services.account, machineId, at: NOW },
      { type: 'certificate_issued', actor: services.account, machineId, at: NOW },
    ]);
    expect(services.eventsOf(license)[1]?.certificateExpiresAt).toEqual(IN_30_DAYS);
  });

  it('changes nothing of an ACTIVE license but its version, and stores an event each time', async () => {
    await activeLicense();
    await issue();
    await issue();
    expect(await stored()).toEqual(anyVersion(license));
    expect((await stored()).version).not.toBe(license.version);
    expect(services.typesOf(license)).toEqual(['certificate_issued', 'certificate_issued']);
  });

  it('issues one certificate for an idempotency key', async () => {
    const idempotency = anIdempotencyRecord({ owner: services.account });
    const first = await issue({}, idempotency);
    expect(await issue({}, idempotency)).toEqual(first);
    expect(services.store.all(EVENTS)).toHaveLength(2);
  });

  it.each<[string, Partial<License>, string]>([
    ['is revoked', { status: 'REVOKED', revokedAt: at(3) }, 'LICENSE_ALREADY_REVOKED'],
    ['has expired', { expiresAt: NOW }, 'LICENSE_TERM_ENDED'],
    ['ends within this second', { expiresAt: at(5.0001) }, 'LICENSE_TERM_ENDED'],
    ['is bound to another machine', { machineId: 'machine 2' }, 'LICENSE_BOUND_ELSEWHERE'],
  ])('issues none for a license that %s', async (_what, fields, code) => {
    await activeLicense(fields);
    await expectRejected(issue(), code);
  });

  it('issues none for another product, nor of a license of another account', async () => {
    await expectRejected(issue({ product: 'Shop' }), 'LICENSE_OF_ANOTHER_PRODUCT');
    const issued = certificates.issue(license._id, newAccountId(), REQUEST);
    await expectRejected(issued, 'LICENSE_NOT_FOUND');
  });

  it('issues none where the check does not fit', async () => {
    await expectRejected((async () => issue({ check: '00000000' }))(), 'VALIDATION_ERROR');
  });

  it('issues none where the license was bound to another machine meanwhile', async () => {
    services.beforeNextCommit(async () => {
      const before = await stored();
      await services.put(replace(LICENSES, before, activated(before, 'machine 2', NOW)));
    });
    await expect(issue()).rejects.toMatchObject({ code: 'LICENSE_BOUND_ELSEWHERE' });
    expect(services.eventsOf(license)).toEqual([]);
  });

  it('and the deletion of the project exclude each other', async () => {
    services.beforeNextCommit(() => services.delete(project));
    await expectRejected(issue(), 'LICENSE_NOT_FOUND');
    project = await services.project({ product: 'shop' });
    license = await services.license(project);
    services.beforeNextCommit(() => issue());
    await expect(services.delete(project)).rejects.toThrow('The change remove could not be made');
  });

  it('is known to a reissue that began before it was issued', async () => {
    await activeLicense({ expiresAt: new Date('2027-01-01T00:00:00.000Z') });
    const elsewhere = services.anotherInstance();
    services.beforeNextCommit(() => issue());
    const reissued = await elsewhere.licenses.reissue(license._id, services.account, undefined);
    expect(reissued.lastCertificateEnd).toEqual(IN_30_DAYS);
  });

  it('issues 20 at once for one machine, and binds the license once', async () => {
    const issued = await Promise.all(Array.from({ length: 20 }, () => issue()));
    const types = services.typesOf(license);
    expect(types.filter((type) => type === 'activated')).toHaveLength(1);
    expect(types.filter((type) => type === 'certificate_issued')).toHaveLength(20);
    for (const each of issued) expect(each.license).toEqual(anyVersion(await stored()));
  });
});
