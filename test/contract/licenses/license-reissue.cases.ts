import type { License } from '../../../src/licenses/license.js';
import type { Reissue } from '../../../src/licenses/licenses.repository.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { aReissue } from '../../builders/license.builder.js';
import { at } from '../../builders/time.js';
import { engines } from '../engines.js';
import { firstPage } from '../pages.js';
import { revocationOf } from '../port-arguments.js';
import { twenty } from '../race.js';
import { useStore } from '../use-store.js';

describe.each(engines)('the reissue of a license on $name', ({ open }) => {
  const { store, stored } = useStore(open);

  const listed = async ({ user }: License) => {
    const all = { status: undefined, client: undefined, project: undefined, product: undefined };
    const query = { ...all, expiresBefore: undefined, sort: 'createdAt', order: 'asc' } as const;
    return (await store.licenses.listOwned(user, query, firstPage(), at(5))).data;
  };

  const expectNothingDone = async (
    license: License,
    reissue: Reissue,
    outcome: 'key_collision' | null,
  ) => {
    const before = await stored.eventsOf(license);
    expect(await store.licenses.reissue(reissue)).toBe(outcome);
    expect(await stored.find(license)).toStrictEqual(license);
    expect(await listed(license)).toStrictEqual([license]);
    expect(await stored.eventsOf(license)).toStrictEqual(before);
    expect(await stored.eventsOf(reissue.replacement)).toStrictEqual([]);
  };

  it('revokes a PENDING and an ACTIVE license, and stores its replacement', async () => {
    for (const license of [await stored.license(), await stored.activeLicense()]) {
      const before = await stored.eventsOf(license);
      const reissue = aReissue(license, { duration: 3, services: ['Domain'] });
      const { revocation, replacement, events } = reissue;
      const revoked: License = {
        ...license,
        ...revocation,
        status: 'REVOKED',
        updatedAt: revocation.revokedAt,
      };
      expect(await store.licenses.reissue(reissue)).toStrictEqual({
        revoked,
        license: replacement,
        lastCertificateEnd: null,
      });
      expect(await stored.find(license)).toStrictEqual(revoked);
      expect(await stored.find(replacement)).toStrictEqual(replacement);
      expect(await stored.eventsOf(license)).toStrictEqual([events[0], ...before]);
      expect(await stored.eventsOf(replacement)).toStrictEqual([events[1]]);
    }
  });

  it('gives the replacement the product of the license, though it was read without one', async () => {
    const { project, license: read } = await stored.project();
    const changes = { product: 'shop' };
    await store.projects.update(project._id, project.owner, changes, at(3));
    const reissue = aReissue(read);
    expect(reissue.replacement.product).toBeNull();
    const replacement = { ...reissue.replacement, ...changes };
    expect(await store.licenses.reissue(reissue)).toMatchObject({
      revoked: changes,
      license: replacement,
    });
    expect(await stored.find(replacement)).toStrictEqual(replacement);
  });

  it('rejects a REVOKED license', async () => {
    const license = await store.licenses.revoke(...revocationOf(await stored.license()));
    await expectNothingDone(license!, aReissue(license!), null);
  });

  it("rejects another user's license", async () => {
    const license = await stored.license();
    const { user } = await stored.license();
    await expectNothingDone(license, aReissue(license, { user }), null);
  });

  it('rejects a missing license', async () => {
    const license = await stored.license();
    const reissue = aReissue({ ...license, _id: newObjectId() });
    await expectNothingDone(license, reissue, null);
  });

  it('rejects a key that another license has', async () => {
    const { keyHash } = await stored.license();
    const license = await stored.license();
    await expectNothingDone(license, aReissue(license, { keyHash }), 'key_collision');
    const own = aReissue(license, { keyHash: license.keyHash });
    await expectNothingDone(license, own, 'key_collision');
  });

  it('can be repeated with the replacement', async () => {
    let license = await stored.license();
    for (let round = 0; round < 3; round++) {
      const reissue = aReissue(license);
      expect(await store.licenses.reissue(reissue)).not.toBeNull();
      expect(reissue.replacement.replaces).toBe(license._id);
      license = reissue.replacement;
    }
    expect((await listed(license)).map(({ status }) => status).toSorted()).toStrictEqual([
      'PENDING',
      'REVOKED',
      'REVOKED',
      'REVOKED',
    ]);
  });

  it('stores one replacement for 20 calls at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const license = await stored.activeLicense();
      const outcomes = await twenty(() => store.licenses.reissue(aReissue(license)));
      const done = outcomes.filter((outcome) => outcome !== null);
      expect(done).toHaveLength(1);
      const all = await listed(license);
      expect(all).toHaveLength(2);
      expect(done).toStrictEqual([
        {
          revoked: all.find(({ _id }) => _id === license._id),
          license: all.find(({ replaces }) => replaces),
          lastCertificateEnd: null,
        },
      ]);
      const types = (await stored.eventsOf(license)).map(({ type }) => type);
      expect(types).toStrictEqual(['reissued', 'activated', 'created']);
    }
  });
});
