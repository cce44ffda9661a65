import type { License } from '../../../src/licenses/license.js';
import type { Reissued } from '../../../src/licenses/licenses.repository.js';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { anEvent } from '../../builders/event.builder.js';
import {
  aCertification,
  activeUntil,
  aLicense,
  anActivation,
  aReissue,
  aRenewal,
} from '../../builders/license.builder.js';
import { at } from '../../builders/time.js';
import { engines } from '../engines.js';
import { activationOf, revocationOf } from '../port-arguments.js';
import { firstPage } from '../pages.js';
import { useStore } from '../use-store.js';

type Certification = ReturnType<typeof aCertification>;

describe.each(engines)('a certificate for a machine without a network on $name', ({ open }) => {
  const { store, stored } = useStore(open);

  const certify = (certification: Certification) => store.licenses.certify(certification);
  const certificateOf = (license: License, minutes: number) =>
    certify(aCertification(license, 'machine 1', { certificateExpiresAt: at(minutes) }));

  /** Expects that no certificate is issued, and neither the license nor its events change. */
  const expectRejected = async (certification: Certification, license: License) => {
    const before = await stored.counts();
    expect(await certify(certification)).toBeNull();
    expect(await stored.find(license)).toStrictEqual(license);
    expect(await stored.counts()).toStrictEqual(before);
  };

  it('binds a PENDING license to its machine with both events, and changes nothing else', async () => {
    const license = await stored.license();
    // Cached before the change.
    await stored.find(license);
    const certification = aCertification(license, 'machine 7');
    const { certificate, event, activation } = certification;
    const active = {
      ...license,
      ...anActivation('machine 7'),
      status: 'ACTIVE' as const,
      updatedAt: at(2),
    };
    expect(await certify(certification)).toStrictEqual({ license: active, certificate });
    expect(await stored.find(license)).toStrictEqual(active);
    expect(await stored.eventsOf(license)).toStrictEqual([
      event,
      activation!.event,
      expect.objectContaining({ type: 'created' }),
    ]);
  });

  it('changes nothing of an ACTIVE license, and stores an event each time', async () => {
    const license = await stored.activeLicense();
    const before = await stored.eventsOf(license);
    const first = aCertification(license);
    const second = aCertification(license, 'machine 1', { at: at(4) });
    for (const certification of [first, second]) {
      const { certificate } = certification;
      expect(await certify(certification)).toStrictEqual({ license, certificate });
    }
    expect(await stored.find(license)).toStrictEqual(license);
    expect(await stored.eventsOf(license)).toStrictEqual([second.event, first.event, ...before]);
  });

  it('is not issued with an activation where the license is no longer PENDING', async () => {
    const license = await stored.license();
    const active = (await store.licenses.activate(...activationOf(license, 'machine 1')))!;
    for (const machineId of ['machine 1', 'machine 2']) {
      await expectRejected(aCertification(license, machineId), active);
    }
    const pending = await stored.license();
    const revoked = (await store.licenses.revoke(...revocationOf(pending)))!;
    await expectRejected(aCertification(pending), revoked);
  });

  it('is not issued after a revocation', async () => {
    const license = await stored.activeLicense();
    const revoked = (await store.licenses.revoke(...revocationOf(license)))!;
    await expectRejected(aCertification(license), revoked);
    await expectRejected(aCertification(revoked), revoked);
  });

  it('is not issued where the machine or the term has changed since the license was read', async () => {
    const license = await stored.activeLicense();
    const changes = [
      { machineId: 'machine 2' },
      { machineId: null },
      { termStart: new Date(license.termStart.getTime() + 1) },
      { termMonths: license.termMonths + 1 },
    ];
    for (const change of changes) {
      await expectRejected(aCertification({ ...license, ...change }), license);
    }
    const event = anEvent(license, 'renewed');
    const renewed = (await store.licenses.renew(license, aRenewal(license, 1), event))!;
    await expectRejected(aCertification(license), renewed);
    expect(await certify(aCertification(renewed))).toMatchObject({ license: renewed });
  });

  it('is not issued for a PENDING license without its activation', async () => {
    const license = await stored.license();
    await expectRejected({ ...aCertification(license), activation: null }, license);
    const bound = { ...license, machineId: 'machine 1' };
    await expectRejected({ ...aCertification(bound), activation: null }, license);
  });

  it("is not issued for another account's license, nor for a missing one", async () => {
    const user = newAccountId();
    for (const license of [await stored.license(), await stored.activeLicense()]) {
      await expectRejected(aCertification({ ...license, user }), license);
      const before = await stored.counts();
      expect(await certify(aCertification({ ...license, _id: newObjectId() }))).toBeNull();
      expect(await stored.counts()).toStrictEqual(before);
    }
  });

  it('leaves a PENDING license unbound where its event cannot be stored', async () => {
    const license = await stored.license();
    const before = await stored.counts();
    const failing = () => expect(certify(aCertification(license))).rejects.toThrow();
    await store.whileFailing('event', failing);
    expect(await stored.find(license)).toStrictEqual(license);
    expect(await stored.counts()).toStrictEqual(before);
  });

  it('leaves other licenses of the project unchanged', async () => {
    const { project, license } = await stored.project(undefined, { product: 'shop' });
    const others = [
      await stored.licenseOf(project),
      await stored.licenseOf(project, activeUntil(at(99))),
    ];
    await certify(aCertification(license));
    for (const other of others) expect(await stored.find(other)).toStrictEqual(other);
  });

  it('beyond the 90th deletes the event of the oldest, but not of the one that ends last', async () => {
    const license = await stored.activeLicense();
    const before = await stored.eventsOf(license);
    const events = Array.from({ length: 95 }, (_, number) => {
      const certificateExpiresAt = at(number === 1 ? 9_000 : 1_000 + (number % 7));
      return aCertification(license, 'machine 1', { at: at(10 + number), certificateExpiresAt });
    }).map((certification) => ({ certification, event: certification.event }));
    for (const { certification } of events) expect(await certify(certification)).not.toBeNull();
    const kept = [...events.slice(5).reverse(), events[1]!].map(({ event }) => event);
    const { data } = await store.events.list(license._id, firstPage(200));
    expect(data).toStrictEqual([...kept, ...before]);
    const reissued = (await store.licenses.reissue(aReissue(license))) as Reissued;
    expect(reissued.lastCertificateEnd).toStrictEqual(at(9_000));
  });

  it('beyond the 90th keeps one event of those that end last at the same time', async () => {
    const license = await stored.activeLicense();
    for (let number = 0; number < 93; number++) {
      const fields = { at: at(10 + number), certificateExpiresAt: at(number < 3 ? 9_000 : 1_000) };
      await certify(aCertification(license, 'machine 1', fields));
    }
    const { data } = await store.events.list(license._id, firstPage(200));
    const times = data.filter(({ type }) => type === 'certificate_issued').map((one) => one.at);
    expect(times).toHaveLength(91);
    expect(times.at(-1)).toStrictEqual(at(12));
  });

  describe('the last end, which a reissue tells', () => {
    const endTold = async (license: License) => {
      const reissued = await store.licenses.reissue(aReissue(license));
      return (reissued as Reissued).lastCertificateEnd;
    };

    it('is null before the first certificate', async () => {
      const license = await stored.activeLicense();
      await certificateOf(await stored.activeLicense(), 10);
      expect(await endTold(license)).toBeNull();
    });

    it('is the latest one, in whatever order the certificates were issued', async () => {
      for (const ends of [[30], [10, 30, 20], [30, 10], [30, 30, 20]]) {
        const license = await stored.activeLicense();
        for (const minutes of ends) await certificateOf(license, minutes);
        expect(await endTold(license)).toStrictEqual(at(30));
      }
    });

    it('is neither of another license nor the end of a term', async () => {
      const { project, license } = await stored.project();
      const other = aLicense(project, activeUntil(at(9_999)));
      await stored.licenseOf(project, other);
      await certificateOf(other, 90);
      const certified = (await certificateOf(license, 30))!.license;
      const event = anEvent(license, 'renewed', { termEndedAt: at(60) });
      await store.licenses.renew(certified, aRenewal(certified, 1), event);
      expect(await endTold(license)).toStrictEqual(at(30));
    });
  });
});
