import { type License, termFrom } from '../../../src/licenses/license.js';
import type { Certified } from '../../../src/licenses/licenses.repository.js';
import { anEvent } from '../../builders/event.builder.js';
import { aCertification, aReissue, aRenewal } from '../../builders/license.builder.js';
import { at } from '../../builders/time.js';
import { timesInScope } from '../../scope.js';
import { engines } from '../engines.js';
import { activationOf, revocationOf } from '../port-arguments.js';
import { race, twenty } from '../race.js';
import { useStore } from '../use-store.js';

const ROUNDS = timesInScope(20);

const listOf = <T>(outcome: T | null): T[] => (outcome === null ? [] : [outcome]);
const licensesOf = (outcome: Certified | null) => listOf(outcome).map(({ license }) => license);

describe.each(engines)('changes of one license at the same moment on $name', ({ open }) => {
  const { store, stored } = useStore(open);

  const activate = (license: License, machineId?: string) =>
    store.licenses.activate(...activationOf(license, machineId));
  const revoke = (license: License) => store.licenses.revoke(...revocationOf(license));
  /** As the service renews: reads the license again until no other change has come between. */
  const renew = async (license: License, months: number): Promise<License | null> => {
    for (;;) {
      const read = (await store.licenses.findOwned(license._id, license.user))!;
      if (read.status !== 'ACTIVE') return null;
      const event = anEvent(read, 'renewed', { at: at(3) });
      const renewed = await store.licenses.renew(read, aRenewal(read, months), event);
      if (renewed) return renewed;
    }
  };

  /** As the service certifies: reads the license again until it is bound to another machine or revoked. */
  const certify = async (license: License, machineId = 'machine 1') => {
    for (;;) {
      const read = (await store.licenses.findOwned(license._id, license.user))!;
      if (read.status === 'REVOKED' || (read.machineId ?? machineId) !== machineId) return null;
      const certified = await store.licenses.certify(aCertification(read, machineId));
      if (certified) return certified;
    }
  };

  /** The number of events of each type. */
  const eventsOf = async (license: License) => {
    const counts = new Map<string, number>();
    for (const { type } of await stored.eventsOf(license))
      counts.set(type, (counts.get(type) ?? 0) + 1);
    return Object.fromEntries(counts);
  };

  it('bind it to exactly one of 20 machines, and store one event', async () => {
    for (let round = 0; round < 5; round++) {
      const license = await stored.license();
      const outcomes = await twenty((index) => activate(license, `machine ${index}`));
      const winners = outcomes.filter((outcome) => outcome !== null);
      expect(winners).toHaveLength(1);
      expect(winners[0]?.machineId).toBe(`machine ${outcomes.indexOf(winners[0]!)}`);
      expect(await stored.find(license)).toStrictEqual(winners[0]);
      const events = await stored.eventsOf(license);
      expect(events.map(({ type, machineId }) => [type, machineId])).toStrictEqual([
        ['activated', winners[0]?.machineId],
        ['created', null],
      ]);
    }
  });

  it('bind it to exactly one of 20 machines, though every second one requests a certificate', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const license = await stored.license();
      const outcomes = await twenty(async (index) => {
        const machineId = `machine ${index}`;
        if (index % 2 === round % 2) return activate(license, machineId);
        return (await certify(license, machineId))?.license ?? null;
      });
      const winners = outcomes.filter((outcome) => outcome !== null);
      expect(winners).toStrictEqual([await stored.find(license)]);
      const winner = outcomes.indexOf(winners[0]!);
      expect(winners[0]?.machineId).toBe(`machine ${winner}`);
      expect(await eventsOf(license)).toStrictEqual({
        created: 1,
        activated: 1,
        ...(winner % 2 !== round % 2 && { certificate_issued: 1 }),
      });
    }
  });

  it('issue 20 certificates for one machine, and bind it once', async () => {
    const license = await stored.license();
    const outcomes = await twenty(() => certify(license));
    const bound = await stored.find(license);
    for (const outcome of outcomes) expect(outcome?.license).toStrictEqual(bound);
    const events = { created: 1, activated: 1, certificate_issued: 20 };
    expect(await eventsOf(license)).toStrictEqual(events);
  });

  it('store no event without its change where 20 certify, activate, revoke and reissue it', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const license = round % 4 < 2 ? await stored.license() : await stored.activeLicense();
      const certified: License[] = [];
      const activated: License[] = [];
      const revoked: License[] = [];
      const reissued: License[] = [];
      const changes = [
        async () => void certified.push(...licensesOf(await certify(license, 'machine 1'))),
        async () => void activated.push(...listOf(await activate(license, 'machine 2'))),
        async () => void revoked.push(...listOf(await revoke(license))),
        async () => {
          const outcome = await store.licenses.reissue(aReissue(license));
          if (outcome === 'key_collision') throw new Error('No other license has the key');
          reissued.push(...listOf(outcome).map((one) => one.revoked));
        },
      ];
      await twenty((index) => changes[(index + round) % changes.length]!());

      const last = (await stored.find(license))!;
      expect([...revoked, ...reissued]).toStrictEqual([last]);
      const { machineId } = last;
      for (const each of certified) {
        expect(each).toMatchObject({ status: 'ACTIVE', machineId: 'machine 1' });
        expect(machineId).toBe('machine 1');
      }
      if (license.status === 'PENDING') {
        expect(activated).toHaveLength(machineId === 'machine 2' ? 1 : 0);
        expect(certified.length > 0).toBe(machineId === 'machine 1');
      }
      expect(await eventsOf(license)).toStrictEqual({
        created: 1,
        ...(machineId !== null && { activated: 1 }),
        ...(certified.length > 0 && { certificate_issued: certified.length }),
        ...(reissued.length > 0 ? { reissued: 1 } : { revoked: 1 }),
      });
    }
  });

  it('add up where it is renewed four times', async () => {
    for (let round = 0; round < 5; round++) {
      const license = await stored.activeLicense();
      const renewals = await Promise.all([1, 2, 4, 8].map((months) => renew(license, months)));
      const term = termFrom(license.termStart, license.termMonths + 15);
      expect(await stored.find(license)).toStrictEqual({ ...license, ...term, updatedAt: at(3) });
      const ends = new Set(renewals.map((renewed) => renewed?.expiresAt.getTime()));
      expect(ends.size).toBe(4);
      expect(await eventsOf(license)).toStrictEqual({ renewed: 4, activated: 1, created: 1 });
    }
  });

  it('let one of 20 renewals of the same term succeed', async () => {
    const license = await stored.activeLicense();
    const outcomes = await twenty((index) =>
      store.licenses.renew(
        license,
        aRenewal(license, 1 + (index % 12)),
        anEvent(license, 'renewed'),
      ),
    );
    const winners = outcomes.filter((outcome) => outcome !== null);
    expect(winners).toStrictEqual([await stored.find(license)]);
    expect(await eventsOf(license)).toStrictEqual({ renewed: 1, activated: 1, created: 1 });
  });

  it('leave it revoked after a simultaneous activation and revocation', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const license = await stored.license();
      const [activated, revoked] = await race(
        round,
        () => activate(license),
        () => revoke(license),
      );
      expect(revoked?.status).toBe('REVOKED');
      expect(revoked?.machineId).toBe(activated ? 'machine 1' : null);
      expect(await stored.find(license)).toStrictEqual(revoked);
      expect(await eventsOf(license)).toStrictEqual({
        created: 1,
        revoked: 1,
        ...(activated && { activated: 1 }),
      });
    }
  });

  it('let one of 20 revocations succeed', async () => {
    const license = await stored.activeLicense();
    const outcomes = await twenty(() => revoke(license));
    expect(outcomes.filter((outcome) => outcome !== null)).toStrictEqual([
      await stored.find(license),
    ]);
    expect(await eventsOf(license)).toStrictEqual({ revoked: 1, activated: 1, created: 1 });
  });

  it('have the result and the events of some order where it is activated, renewed, revoked and reissued', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const license = round % 4 < 2 ? await stored.license() : await stored.activeLicense();
      const reissue = aReissue(license);
      const [[activated, renewed], [revoked, reissued]] = await race(
        round,
        () => Promise.all([activate(license), renew(license, 2)]),
        () => Promise.all([revoke(license), store.licenses.reissue(reissue)]),
      );
      // Only one of the two can revoke it, and no change follows.
      expect([revoked, reissued].filter((outcome) => outcome !== null)).toHaveLength(1);
      const last = (await stored.find(license))!;
      if (reissued === 'key_collision') throw new Error('No other license has the key');
      expect(last).toStrictEqual(revoked ?? reissued?.revoked);

      const wasActive = license.status === 'ACTIVE' || activated !== null;
      expect(last.machineId).toBe(wasActive ? 'machine 1' : null);
      if (renewed) expect(wasActive).toBe(true);
      expect(last.termMonths).toBe(renewed ? 8 : 6);
      expect(await eventsOf(license)).toStrictEqual({
        created: 1,
        ...(wasActive && { activated: 1 }),
        ...(renewed && { renewed: 1 }),
        ...(revoked ? { revoked: 1 } : { reissued: 1 }),
      });
      const replacement = await store.licenses.findByKeyHash(reissue.replacement.keyHash);
      expect(replacement).toStrictEqual(reissued?.license ?? null);
    }
  });
});
