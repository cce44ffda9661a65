import { activeUntil } from '../../test/builders/license.builder.js';
import { at } from '../../test/builders/time.js';
import { LicenseServices } from '../../test/license-services.js';
import { NO_QUOTAS } from '../../test/no-limits.js';
import type { Project } from '../projects/project.js';
import { replace } from '../storage/changes.js';
import { activated, revoked } from './license-transitions.js';
import { type License, LICENSES } from './license.js';

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

  const revoke = () => services.licenses.revoke(license._id, services.account, null);
  const renew = (months: number) =>
    services.licenses.renew(license._id, services.account, { duration: months, days: null });
  const reissue = () => services.licenses.reissue(license._id, services.account, undefined);
  const stored = async ({ _id } = license) => (await services.store.find(LICENSES, { _id }))!;
  /** As shipped software activates it. */
  const activate = async () => {
    const before = await stored();
    const after = activated(before, { machineId: 'machine 9' }, NOW);
    const event = services.events.record('activated', after, NOW);
    await services.put(replace(LICENSES, before, after), event);
  };

  describe('revoke', () => {
    it('revokes the machine of an activation that was faster', async () => {
      license = await services.license(project);
      services.beforeNextCommit(activate);
      expect(await revoke()).toMatchObject({
        ...{ status: 'REVOKED', machines: [{ machineId: 'machine 9' }] },
      });
      expect(services.typesOf(license)).toEqual(['license.activated', 'license.revoked']);
    });

    it('has one event after 20 at the same time', async () => {
      const results = await Promise.all(Array.from({ length: 20 }, () => revoke()));
      expect(new Set(results.map(({ revokedAt }) => +revokedAt!)).size).toBe(1);
      expect(services.typesOf(license)).toEqual(['license.revoked']);
    });
  });

  describe('renew', () => {
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

    it('is rejected at the quota, and changes nothing', async () => {
      services = new LicenseServices({ ...NO_QUOTAS, licenses: 3 });
      await services.register(3);
      project = await services.project({ licensesCount: 3 });
      license = await services.license(project, ACTIVE);
      await expect(reissue()).rejects.toMatchObject({ code: 'LICENSE_QUOTA_REACHED' });
      expect(await stored()).toEqual(license);
      expect(await services.stored(project)).toEqual(project);
    });

    it('is rejected where the project was deleted meanwhile', async () => {
      services.beforeNextCommit(() => services.delete(project));
      await expect(reissue()).rejects.toMatchObject({ code: 'LICENSE_NOT_FOUND' });
      expect(services.store.all(LICENSES)).toEqual([license]);
    });
  });
});
