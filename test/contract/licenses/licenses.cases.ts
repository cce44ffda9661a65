import type { License } from '../../../src/licenses/license.js';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { anEvent } from '../../builders/event.builder.js';
import { aLicense, aNewLicense, aReissue, aRenewal } from '../../builders/license.builder.js';
import { aProject } from '../../builders/project.builder.js';
import { at } from '../../builders/time.js';
import { timesInScope } from '../../scope.js';
import { engines } from '../engines.js';
import { activationOf, revocationOf } from '../port-arguments.js';
import { useStore } from '../use-store.js';

describe.each(engines)('licenses on $name', ({ open }) => {
  const { store, stored } = useStore(open);

  const find = ({ keyHash }: License) => store.licenses.findByKeyHash(keyHash);

  it.each<[string, Partial<License>]>([
    ['with empty fields', { services: ['Domain'], duration: 12 }],
    [
      'with every field set',
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
  ])('are read as they were stored, %s', async (_what, fields) => {
    const license = await stored.license(fields);
    expect(await stored.find(license)).toStrictEqual(license);
  });

  it('are found by no other user, key or id', async () => {
    const license = await stored.license();
    expect(await store.licenses.findByKeyHash('never heard of')).toBeNull();
    expect(await store.licenses.findOwned(newObjectId(), license.user)).toBeNull();
    expect(await store.licenses.findOwned(license._id, newAccountId())).toBeNull();
  });

  it('are found by their key as soon as they are stored, though a search before found nothing', async () => {
    const project = aProject(await stored.client());
    const license = aLicense(project);
    expect(await find(license)).toBeNull();
    await store.projects.createWithFirstLicense(project, aNewLicense(license));
    expect(await stored.find(license)).toStrictEqual(license);

    const reissue = aReissue(license);
    const { replacement } = reissue;
    expect(await find(replacement)).toBeNull();
    await store.licenses.reissue(reissue);
    expect(await stored.find(replacement)).toStrictEqual(replacement);

    const added = aLicense(project);
    expect(await find(added)).toBeNull();
    await store.projects.addLicense(aNewLicense(added));
    expect(await stored.find(added)).toStrictEqual(added);
  });

  it('are found by their key as of the last acknowledged change', async () => {
    const { licenses } = store;
    const changes: ((license: License) => Promise<License | null>)[] = [
      (one) => licenses.activate(...activationOf(one)),
      (one) => licenses.renew(one, aRenewal(one, 6), anEvent(one, 'renewed')),
      (one) => licenses.revoke(...revocationOf(one)),
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

  it('are not found by their key after their project is deleted, though others read at the same time', async () => {
    for (let round = 0; round < timesInScope(20); round++) {
      const { project, license } = await stored.project();
      const readers = () => Array.from({ length: 5 }, () => find(license));
      await Promise.all(readers());
      const reads = readers();
      const deleting = store.projects.deleteWithLicenses(project._id, project.owner, at(9));
      reads.push(...readers());
      expect(await deleting).toBe('deleted');
      expect(await stored.find(license)).toStrictEqual(null);
      await Promise.all(reads);
      expect(await stored.find(license)).toStrictEqual(null);
    }
  });
});
