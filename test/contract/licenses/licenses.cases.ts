import type { License } from '../../../src/licenses/license.js';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { anEvent } from '../../builders/event.builder.js';
import {
  aLicense,
  aNewLicense,
  anActivation,
  aReissue,
  aRenewal,
} from '../../builders/license.builder.js';
import { aProject } from '../../builders/project.builder.js';
import { at } from '../../builders/time.js';
import { timesInScope } from '../../scope.js';
import { engines } from '../engines.js';
import type { StoreUnderTest } from '../store-under-test.js';
import type { Stored } from '../stored.js';
import { useStore } from '../use-store.js';

describe.each(engines)('licenses on $name', ({ open }) => {
  let store: StoreUnderTest;
  let stored: Stored;
  useStore(open, (...opened) => ([store, stored] = opened));

  const find = ({ keyHash }: License) => store.licenses.findByKeyHash(keyHash);
  const bothFind = async (license: License, expected: License | null) => {
    expect(await find(license)).toStrictEqual(expected);
    expect(await store.licenses.findOwned(license._id, license.user)).toStrictEqual(expected);
  };

  it.each<[string, Partial<License>]>([
    ['its empty fields and milliseconds too', { services: ['Domain'], duration: 12 }],
    [
      'every field of it',
      {
        status: 'REVOKED',
        issuedAt: at(1),
        expiresAt: at(2),
        termStart: at(3),
        termMonths: 120,
        machineId: 'machine 1',
        activatedAt: at(4),
        revokedAt: at(5),
        revokedReason: 'Contract ended – “früher” 🚀',
        replaces: newObjectId(),
        createdAt: at(6),
        updatedAt: at(7),
      },
    ],
  ])('are given back as they were stored, %s', async (_what, fields) => {
    const license = await stored.license(fields);
    await bothFind(license, license);
  });

  it('are shown to nobody else, and none that was not stored is known', async () => {
    const license = await stored.license();
    expect(await store.licenses.findByKeyHash('never heard of')).toBeNull();
    expect(await store.licenses.findOwned(newObjectId(), license.user)).toBeNull();
    expect(await store.licenses.findOwned(license._id, newAccountId())).toBeNull();
  });

  it('are found by their key at once, though they were asked for before they were there', async () => {
    const project = aProject(await stored.client());
    const license = aLicense(project);
    expect(await find(license)).toBeNull();
    await store.projects.createWithFirstLicense(project, aNewLicense(license));
    await bothFind(license, license);

    const reissue = aReissue(license);
    const { replacement } = reissue;
    expect(await find(replacement)).toBeNull();
    await store.licenses.reissue(reissue);
    await bothFind(replacement, replacement);

    const added = aLicense(project);
    expect(await find(added)).toBeNull();
    await store.projects.addLicense(aNewLicense(added));
    await bothFind(added, added);
  });

  it('are found by their key as the last acknowledged change has left them', async () => {
    const { licenses } = store;
    const revocation = { revokedAt: at(3), revokedReason: null };
    const changes: ((license: License) => Promise<License | null>)[] = [
      (one) => licenses.activate(one._id, anActivation('machine 1'), anEvent(one, 'activated')),
      (one) => licenses.renew(one, aRenewal(one, 6), anEvent(one, 'renewed')),
      (one) => licenses.revoke(one._id, one.user, revocation, anEvent(one, 'revoked')),
    ];
    for (let round = 0; round < timesInScope(20); round++) {
      let license = await stored.license();
      const readers = () => Array.from({ length: 5 }, () => find(license));
      await Promise.all(readers());
      for (const change of changes) {
        const reads = readers();
        const changing = change(license);
        reads.push(...readers());
        const changed = await changing;
        expect(changed).not.toBeNull();
        expect(await find(license)).toStrictEqual(changed);
        await Promise.all(reads);
        expect(await find(license)).toStrictEqual(changed);
        license = changed!;
      }
    }
  });

  it('are not found by their key once their project is deleted, whoever reads meanwhile', async () => {
    for (let round = 0; round < timesInScope(20); round++) {
      const { project, license } = await stored.project();
      const readers = () => Array.from({ length: 5 }, () => find(license));
      await Promise.all(readers());
      const reads = readers();
      const deleting = store.projects.deleteWithLicenses(project._id, project.owner, at(9));
      reads.push(...readers());
      expect(await deleting).toBe('deleted');
      await bothFind(license, null);
      await Promise.all(reads);
      await bothFind(license, null);
    }
  });
});
