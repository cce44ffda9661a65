import type { License } from '../../../src/licenses/license.js';
import type { Reissue } from '../../../src/licenses/licenses.repository.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { anEvent } from '../../builders/event.builder.js';
import { aReissue } from '../../builders/license.builder.js';
import { at } from '../../builders/time.js';
import { engines } from '../engines.js';
import { firstPage } from '../pages.js';
import { twenty } from '../race.js';
import type { StoreUnderTest } from '../store-under-test.js';
import type { Stored } from '../stored.js';
import { useStore } from '../use-store.js';

describe.each(engines)('the reissue of a license on $name', ({ open }) => {
  let store: StoreUnderTest;
  let stored: Stored;
  useStore(open, (...opened) => ([store, stored] = opened));

  const bothFind = async ({ keyHash, _id, user }: License, expected: License | null) => {
    expect(await store.licenses.findByKeyHash(keyHash)).toStrictEqual(expected);
    expect(await store.licenses.findOwned(_id, user)).toStrictEqual(expected);
  };
  const eventsOf = async ({ _id }: License) => (await store.events.list(_id, firstPage())).data;
  const listed = async ({ user }: License) => {
    const all = { status: undefined, client: undefined, project: undefined };
    const query = { ...all, expiresBefore: undefined, sort: 'createdAt', order: 'asc' } as const;
    return (await store.licenses.listOwned(user, query, firstPage(), at(5))).data;
  };

  const expectNothingDone = async (
    license: License,
    reissue: Reissue,
    outcome: 'key_collision' | null,
  ) => {
    const before = await eventsOf(license);
    expect(await store.licenses.reissue(reissue)).toBe(outcome);
    await bothFind(license, license);
    expect(await listed(license)).toStrictEqual([license]);
    expect(await eventsOf(license)).toStrictEqual(before);
    expect(await eventsOf(reissue.replacement)).toStrictEqual([]);
  };

  it('revokes a PENDING and an ACTIVE license and stores its replacement, each as it is', async () => {
    for (const license of [await stored.license(), await stored.activeLicense()]) {
      const before = await eventsOf(license);
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
      });
      await bothFind(license, revoked);
      await bothFind(replacement, replacement);
      expect(await eventsOf(license)).toStrictEqual([events[0], ...before]);
      expect(await eventsOf(replacement)).toStrictEqual([events[1]]);
    }
  });

  it('does not happen to a REVOKED license', async () => {
    const { _id, user } = await stored.license();
    const revocation = { revokedAt: at(3), revokedReason: null };
    const event = anEvent({ _id }, 'revoked');
    const license = (await store.licenses.revoke(_id, user, revocation, event))!;
    await expectNothingDone(license, aReissue(license), null);
  });

  it("does not happen to another user's license", async () => {
    const license = await stored.license();
    const { user } = await stored.license();
    await expectNothingDone(license, aReissue(license, { user }), null);
  });

  it('does not happen to a license that is not there', async () => {
    const license = await stored.license();
    const reissue = aReissue({ ...license, _id: newObjectId() });
    await expectNothingDone(license, reissue, null);
  });

  it('does not happen where another license has the new key', async () => {
    const { keyHash } = await stored.license();
    const license = await stored.license();
    await expectNothingDone(license, aReissue(license, { keyHash }), 'key_collision');
    const own = aReissue(license, { keyHash: license.keyHash });
    await expectNothingDone(license, own, 'key_collision');
  });

  it('can be done again to the replacement', async () => {
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

  it('makes one replacement, whoever of 20 asks for it at once', async () => {
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
        },
      ]);
      const types = (await eventsOf(license)).map(({ type }) => type);
      expect(types).toStrictEqual(['reissued', 'activated', 'created']);
    }
  });
});
