import type { License } from '../../../src/licenses/license.js';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { anEvent } from '../../builders/event.builder.js';
import { anActivation, aRenewal } from '../../builders/license.builder.js';
import { at } from '../../builders/time.js';
import { engines } from '../engines.js';
import { activationOf, revocationOf } from '../port-arguments.js';
import { useStore } from '../use-store.js';

const ACTIVATION = anActivation('machine 1');
const REVOCATION = { revokedAt: at(3), revokedReason: 'Contract ended – “früher”' };

describe.each(engines)('a change of a license on $name', ({ open }) => {
  const { store, stored } = useStore(open);

  /** Expects that the change is rejected, and neither the license nor its events have changed. */
  const expectUnchanged = async (license: License, change: () => Promise<unknown>) => {
    const before = await stored.eventsOf(license);
    expect(await change()).toBeNull();
    expect(await stored.find(license)).toStrictEqual(license);
    expect(await stored.eventsOf(license)).toStrictEqual(before);
  };

  const activate = (license: License) =>
    store.licenses.activate(...activationOf(license, 'machine 2'));
  const revoke = (license: License, user = license.user) =>
    store.licenses.revoke(...revocationOf({ ...license, user }));
  const renew = (license: License, user = license.user) =>
    store.licenses.renew(
      { ...license, user },
      aRenewal(license, 2, at(3)),
      anEvent(license, 'renewed', { at: at(3) }),
    );
  const revoked = async () => (await revoke(await stored.activeLicense()))!;

  describe('by activation', () => {
    it('binds a PENDING license to a machine, begins its term, and changes nothing else', async () => {
      const license = await stored.license();
      const event = anEvent(license, 'activated', { machineId: 'machine 1' });
      const active = { ...license, ...ACTIVATION, status: 'ACTIVE' as const, updatedAt: at(2) };
      expect(await store.licenses.activate(license._id, ACTIVATION, event)).toStrictEqual(active);
      expect(await stored.find(license)).toStrictEqual(active);
      expect(await stored.eventsOf(license)).toStrictEqual([
        event,
        expect.objectContaining({ type: 'created' }),
      ]);
    });

    it('is rejected for an ACTIVE or REVOKED license', async () => {
      for (const license of [await stored.activeLicense(), await revoked()]) {
        await expectUnchanged(license, () => activate(license));
      }
    });

    it('is rejected for a missing license', async () => {
      const license = { ...(await stored.license()), _id: newObjectId() };
      expect(await activate(license)).toBeNull();
      expect(await stored.eventsOf(license)).toStrictEqual([]);
    });
  });

  describe('by revocation', () => {
    it.each([REVOCATION.revokedReason, null])(
      'revokes a PENDING and an ACTIVE license, and keeps its machine and its term (reason: %j)',
      async (revokedReason) => {
        const revocation = { ...REVOCATION, revokedReason };
        for (const license of [await stored.license(), await stored.activeLicense()]) {
          const before = await stored.eventsOf(license);
          const event = anEvent(license, 'revoked', { at: at(3), reason: revokedReason });
          const { _id, user } = license;
          const changed = { ...license, ...revocation, status: 'REVOKED', updatedAt: at(3) };
          const result = await store.licenses.revoke(_id, user, revocation, event);
          expect(result).toStrictEqual(changed);
          expect(await stored.find(license)).toStrictEqual(changed);
          expect(await stored.eventsOf(license)).toStrictEqual([event, ...before]);
        }
      },
    );

    it('is rejected for a REVOKED license', async () => {
      const license = await revoked();
      await expectUnchanged(license, () => revoke(license));
    });

    it("is rejected for another user's license and for a missing one", async () => {
      for (const license of [await stored.license(), await stored.activeLicense()]) {
        await expectUnchanged(license, () => revoke(license, newAccountId()));
      }
      const missing = { ...(await stored.license()), _id: newObjectId() };
      expect(await revoke(missing)).toBeNull();
      expect(await stored.eventsOf(missing)).toStrictEqual([]);
    });
  });

  describe('by renewal', () => {
    it('moves the end of an ACTIVE license, and changes nothing else', async () => {
      const license = await stored.activeLicense();
      const before = await stored.eventsOf(license);
      const renewal = aRenewal(license, 6, at(3));
      const event = anEvent(license, 'renewed', { at: at(3), actor: license.user });
      const renewed = { ...license, ...renewal };
      expect(renewed.termMonths).toBe(12);
      expect(await store.licenses.renew(license, renewal, event)).toStrictEqual(renewed);
      expect(await stored.find(license)).toStrictEqual(renewed);
      expect(await stored.eventsOf(license)).toStrictEqual([event, ...before]);
    });

    it('begins a new term after one that has ended, and stores the end of that one', async () => {
      const license = await stored.activeLicense();
      const after = new Date(license.expiresAt.getTime() + 60_000);
      const renewal = aRenewal(license, 6, after);
      expect(renewal.termStart).toStrictEqual(after);
      const event = anEvent(license, 'renewed', { at: after, termEndedAt: license.expiresAt });
      const renewed = { ...license, ...renewal };
      expect(await store.licenses.renew(license, renewal, event)).toStrictEqual(renewed);
      expect(await stored.find(license)).toStrictEqual(renewed);
      expect((await stored.eventsOf(license))[0]).toStrictEqual(event);
      expect(await store.events.listTermEnds(license._id)).toStrictEqual([license.expiresAt]);
    });

    it('is rejected for a PENDING or REVOKED license', async () => {
      for (const license of [await stored.license(), await revoked()]) {
        await expectUnchanged(license, () => renew(license));
      }
    });

    it('is rejected where the term has changed since it was read', async () => {
      const read = await stored.activeLicense();
      const renewed = (await renew(read))!;
      await expectUnchanged(renewed, () => renew(read));
      const laterStart = { ...renewed, termStart: at(9) };
      await expectUnchanged(renewed, () => renew(laterStart));
      const moreMonths = { ...renewed, termMonths: renewed.termMonths + 1 };
      await expectUnchanged(renewed, () => renew(moreMonths));
      expect(await renew(renewed)).toMatchObject({ termMonths: renewed.termMonths + 2 });
    });

    it("is rejected for another user's license and for a missing one", async () => {
      const license = await stored.activeLicense();
      await expectUnchanged(license, () => renew(license, newAccountId()));
      const missing = { ...license, _id: newObjectId() };
      expect(await renew(missing)).toBeNull();
      expect(await stored.eventsOf(missing)).toStrictEqual([]);
    });
  });
});
