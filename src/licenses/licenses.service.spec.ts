import { activeUntil } from '../../test/builders/license.builder.js';
import { at } from '../../test/builders/time.js';
import { anIdempotencyRecord } from '../../test/builders/idempotency-record.builder.js';
import { anyVersion, LicenseServices } from '../../test/license-services.js';
import { NO_QUOTAS } from '../../test/no-limits.js';
import type { Project } from '../projects/project.js';
import { newAccountId } from '../shared/ids/account-id.js';
import { newObjectId } from '../shared/ids/object-id.js';
import { IDEMPOTENCY_RECORDS } from '../shared/idempotency/idempotency-record.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { insert, replace } from '../storage/changes.js';
import { createdEvent, EVENTS, licenseEvent } from './license-event.js';
import { activated, revoked } from './license-transitions.js';
import { type License, LICENSES, termFrom } from './license.js';

const NOW = at(5);
const ACTIVE = { ...activeUntil(at(90)), termStart: at(2), termMonths: 6 };

describe('LicensesService', () => {
  let services: LicenseServices;
  let project: Project;
  let license: License;

  beforeEach(async () => {
    services = new LicenseServices();
    await services.register(1);
    project = await services.project({ product: 'shop', licensesCount: 1 });
    license = await services.license(project, ACTIVE);
  });

  const revoke = (
    reason: string | null = null,
    idempotency?: ReturnType<typeof anIdempotencyRecord>,
  ) => services.licenses.revoke(license._id, services.account, reason, idempotency);
  const renew = (months: number) => services.licenses.renew(license._id, services.account, months);
  const reissue = (duration?: number) =>
    services.licenses.reissue(license._id, services.account, duration);
  const stored = async ({ _id } = license) => (await services.store.find(LICENSES, { _id }))!;
  const content = () =>
    [LICENSES, EVENTS, TOTALS].map((each) => services.store.all(each as typeof LICENSES));
  /** As shipped software activates it. */
  const activate = async () => {
    const before = await stored();
    const after = activated(before, 'machine 9', NOW);
    const event = licenseEvent(after, 'activated', NOW, { machineId: 'machine 9' });
    await services.put(replace(LICENSES, before, after), insert(EVENTS, event));
  };

  it.each(['get', 'revoke', 'renew', 'reissue'] as const)(
    '%s finds neither a missing license, nor one of another account or a deleted project',
    async (method) => {
      const { licenses, account } = services;
      const call = (_id: string, accountId: typeof account) => {
        if (method === 'get') return licenses.get(_id, accountId);
        if (method === 'renew') return licenses.renew(_id, accountId, 1);
        if (method === 'revoke') return licenses.revoke(_id, accountId, null);
        return licenses.reissue(_id, accountId, undefined);
      };
      const notFound = { code: 'LICENSE_NOT_FOUND' };
      const before = content();
      await expect(call(newObjectId(), account)).rejects.toMatchObject(notFound);
      await expect(call(license._id, newAccountId())).rejects.toMatchObject(notFound);
      await services.delete(project);
      await expect(call(license._id, account)).rejects.toMatchObject(notFound);
      expect(content()).toEqual(before);
    },
  );

  it('list shows statuses as of now', async () => {
    const query = { sort: 'createdAt', order: 'asc' } as const;
    const countOf = async (status: 'ACTIVE' | 'EXPIRED') => {
      const page = { limit: 9, after: undefined };
      return (await services.licenses.list(services.account, { ...query, status }, page)).data
        .length;
    };
    expect([await countOf('ACTIVE'), await countOf('EXPIRED')]).toEqual([1, 0]);
    services.clock.set(at(90).toISOString());
    expect([await countOf('ACTIVE'), await countOf('EXPIRED')]).toEqual([0, 1]);
  });

  describe('revoke', () => {
    it('stores the revocation with its event', async () => {
      const result = await revoke('Contract ended');
      expect(result).toMatchObject({ status: 'REVOKED', revokedReason: 'Contract ended' });
      expect(await stored()).toEqual(anyVersion(result));
      expect(services.eventsOf(license)).toMatchObject([
        { type: 'revoked', at: NOW, actor: services.account, reason: 'Contract ended' },
      ]);
    });

    it('changes nothing of a revoked license, and stores the record of the key all the same', async () => {
      const first = await revoke('first');
      const before = content();
      const idempotency = anIdempotencyRecord({ owner: services.account });
      expect(await revoke('second', idempotency)).toEqual(anyVersion(first));
      expect(content()).toEqual(before);
      expect(services.store.all(IDEMPOTENCY_RECORDS)).toHaveLength(1);
    });

    it('revokes once, and returns the first result to a repeat', async () => {
      const idempotency = anIdempotencyRecord({ owner: services.account });
      const first = await revoke('first', idempotency);
      services.clock.advance({ seconds: 60 });
      expect(await revoke('first', idempotency)).toEqual(first);
      expect(services.typesOf(license)).toEqual(['revoked']);
    });

    it('revokes the machine of an activation that was faster', async () => {
      license = await services.license(project);
      services.beforeNextCommit(activate);
      expect(await revoke()).toMatchObject({ status: 'REVOKED', machineId: 'machine 9' });
      expect(services.typesOf(license)).toEqual(['activated', 'revoked']);
    });

    it('has one event after 20 at the same time', async () => {
      const results = await Promise.all(Array.from({ length: 20 }, () => revoke()));
      expect(new Set(results.map(({ revokedAt }) => +revokedAt!)).size).toBe(1);
      expect(services.typesOf(license)).toEqual(['revoked']);
    });
  });

  describe('renew', () => {
    it('extends the term, with an event', async () => {
      const result = await renew(3);
      expect(result).toMatchObject(termFrom(at(2), 9));
      expect(await stored()).toEqual(anyVersion(result));
      expect(services.eventsOf(license)).toMatchObject([
        { type: 'renewed', at: NOW, actor: services.account, termEndedAt: null },
      ]);
    });

    it('of an expired license stores when its term had ended', async () => {
      services.clock.set(at(200).toISOString());
      expect(await renew(3)).toMatchObject(termFrom(at(200), 3));
      expect(services.eventsOf(license)).toMatchObject([{ termEndedAt: at(90) }]);
    });

    it('adds up where it is renewed four times at once', async () => {
      const results = await Promise.all([1, 2, 4, 8].map(renew));
      expect(await stored()).toMatchObject(termFrom(at(2), 6 + 15));
      expect(new Set(results.map(({ expiresAt }) => +expiresAt)).size).toBe(4);
      expect(services.typesOf(license)).toHaveLength(4);
    });

    it('is rejected after a revocation that was faster', async () => {
      services.beforeNextCommit(async () => {
        const before = await stored();
        await services.put(replace(LICENSES, before, revoked(before, null, NOW)));
      });
      await expect(renew(1)).rejects.toMatchObject({ code: 'LICENSE_ALREADY_REVOKED' });
      expect(services.eventsOf(license)).toEqual([]);
    });

    it('and the deletion of its project exclude each other', async () => {
      services.beforeNextCommit(() => services.delete(project));
      await expect(renew(1)).rejects.toMatchObject({ code: 'LICENSE_NOT_FOUND' });
      expect(await stored()).toEqual(license);
      const kept = await services.project();
      license = await services.license(kept, ACTIVE);
      services.beforeNextCommit(() => renew(1));
      await expect(services.delete(kept)).rejects.toThrow('The change remove could not be made');
    });
  });

  describe('reissue', () => {
    it('revokes the license and stores its replacement, counted and with both events', async () => {
      const result = await reissue();
      expect(result).toMatchObject({
        revoked: { _id: license._id, status: 'REVOKED', revokedReason: 'Reissued' },
        license: { status: 'PENDING', machineId: null, replaces: license._id, duration: 6 },
        lastCertificateEnd: null,
      });
      expect(result.license).toMatchObject({ project: project._id, services: license.services });
      expect(services.keys.reveal(result.license)).not.toBe(services.keys.reveal(license));
      expect(await stored()).toEqual(anyVersion(result.revoked));
      expect(await stored(result.license)).toEqual(anyVersion(result.license));
      expect(services.eventsOf(license)).toMatchObject([{ type: 'reissued', at: NOW }]);
      expect(services.eventsOf(result.license)).toEqual([
        {
          ...createdEvent(result.license),
          _id: expect.any(String) as string,
          version: expect.any(Number) as number,
        },
      ]);
      expect(await services.stored(project)).toMatchObject({ licensesCount: 2 });
      expect(services.store.all(TOTALS)).toMatchObject([{ licensesCount: 2 }]);
    });

    it('issues it for the given months', async () => {
      expect((await reissue(12)).license).toMatchObject({ duration: 12, termMonths: 12 });
    });

    it('returns the end of the certificate that ends last', async () => {
      for (const end of [20, 40, 30]) {
        const certificate = { certificateExpiresAt: at(end) };
        await services.put(
          insert(EVENTS, licenseEvent(license, 'certificate_issued', at(3), certificate)),
        );
      }
      expect(await reissue()).toMatchObject({ lastCertificateEnd: at(40) });
    });

    it('gives the replacement the product that the project was given meanwhile', async () => {
      const unlabelled = await services.project();
      license = await services.license(unlabelled, ACTIVE);
      services.beforeNextCommit(() => services.setProduct(unlabelled, 'wiki'));
      const result = await reissue();
      expect(result).toMatchObject({ revoked: { product: 'wiki' }, license: { product: 'wiki' } });
      expect(await stored(result.license)).toMatchObject({ product: 'wiki' });
    });

    it('takes another key where a license has the first one', async () => {
      const taken = services.keys.reveal(license);
      const generate = jest.spyOn(services.keys, 'generate').mockReturnValueOnce(taken);
      const result = await reissue();
      expect(generate).toHaveBeenCalledTimes(2);
      expect(services.keys.reveal(result.license)).not.toBe(taken);
    });

    it('is done once of 20 at the same time', async () => {
      const results = await Promise.allSettled(Array.from({ length: 20 }, () => reissue()));
      const rejections = results.filter(({ status }) => status === 'rejected');
      expect(rejections).toHaveLength(19);
      for (const rejection of rejections) {
        expect(rejection).toMatchObject({ reason: { code: 'LICENSE_ALREADY_REVOKED' } });
      }
      expect(services.store.all(LICENSES)).toHaveLength(2);
      expect(services.typesOf(license)).toEqual(['reissued']);
    });

    it('is rejected at the quota, and changes nothing', async () => {
      services = new LicenseServices({ ...NO_QUOTAS, licenses: 3 });
      await services.register(3);
      project = await services.project({ licensesCount: 3 });
      license = await services.license(project, ACTIVE);
      const before = content();
      await expect(reissue()).rejects.toMatchObject({ code: 'LICENSE_QUOTA_REACHED' });
      expect(content()).toEqual(before);
      expect(await services.stored(project)).toEqual(project);
    });

    it('is rejected where the project was deleted meanwhile', async () => {
      services.beforeNextCommit(() => services.delete(project));
      await expect(reissue()).rejects.toMatchObject({ code: 'LICENSE_NOT_FOUND' });
      expect(services.store.all(LICENSES)).toEqual([license]);
    });
  });
});
