import { setTimeout } from 'node:timers/promises';
import { Types } from 'mongoose';
import type { License } from '../../../src/licenses/license.js';
import type { IdempotencyRecord } from '../../../src/shared/idempotency/idempotency-record.js';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { anIdempotencyRecord } from '../../builders/idempotency-record.builder.js';
import { aClient } from '../../builders/client.builder.js';
import { anEvent } from '../../builders/event.builder.js';
import {
  activeUntil,
  aCertification,
  aLicense,
  aNewLicense,
  aReissue,
  aRenewal,
} from '../../builders/license.builder.js';
import { at } from '../../builders/time.js';
import { NO_QUOTAS } from '../../no-limits.js';
import { timesInScope } from '../../scope.js';
import { describeOnMongo } from '../../engines.js';
import type { MongoUnderTest } from '../mongo.engine.js';
import { firstPage } from '../pages.js';
import { activationOf, revocationOf } from '../port-arguments.js';
import { race } from '../race.js';
import { useInstances } from '../use-instances.js';

const ROUNDS = timesInScope(20);

/** The mutexes of an instance do not order the transactions of other instances. */
describeOnMongo('changes by several instances on one MongoDB', () => {
  const { instances, store, stored, callEach } = useInstances(4);

  const settleEach = <T>(
    times: number,
    call: (instance: MongoUnderTest, index: number) => Promise<T>,
  ) => Promise.allSettled(callEach(times, call));
  const resultsOf = <T>(outcomes: PromiseSettledResult<T>[]) =>
    outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failuresOf = (outcomes: PromiseSettledResult<unknown>[]) =>
    new Set(outcomes.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : [])));

  it('do one of 20 writes with the same idempotency key', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [owner, idempotency] = [newAccountId(), anIdempotencyRecord()];
      const outcomes = await settleEach(20, ({ clients }) =>
        clients.create(aClient({ owner }), idempotency),
      );
      expect(resultsOf(outcomes)).toHaveLength(1);
      expect(failuresOf(outcomes)).toStrictEqual(new Set(['IdempotencyKeyTaken']));
      const { data } = await store.clients.listOwned(owner, undefined, firstPage());
      expect(data).toStrictEqual(resultsOf(outcomes));
      const kept = await store.idempotency.find(idempotency._id, at(1));
      expect(kept?.result).toStrictEqual(data[0]);
    }
  });

  it('do one of two writes to different licenses with the same idempotency key', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [idempotency, rivals] = [
        anIdempotencyRecord(),
        [await stored.license(), await stored.license()],
      ];
      const outcomes = await settleEach(2, (_, index) => {
        const { licenses } = instances[round % 2 ? index : 0]!;
        return licenses.revoke(...revocationOf(rivals[index]!), idempotency);
      });
      expect(resultsOf(outcomes)).toHaveLength(1);
      expect(failuresOf(outcomes)).toStrictEqual(new Set(['IdempotencyKeyTaken']));
      const kept = await store.idempotency.find(idempotency._id, at(1));
      expect(kept?.result).toStrictEqual(resultsOf(outcomes)[0]);
    }
  });

  it('replace an expired idempotency record once', async () => {
    const earlier = anIdempotencyRecord();
    await store.clients.create(aClient(), earlier);
    const owner = newAccountId();
    const idempotency = anIdempotencyRecord({
      ...earlier,
      createdAt: earlier.expiresAt,
      expiresAt: at(48 * 60),
    });
    const outcomes = await settleEach(20, ({ clients }) =>
      clients.create(aClient({ owner }), idempotency),
    );
    expect(resultsOf(outcomes)).toHaveLength(1);
    expect(failuresOf(outcomes)).toStrictEqual(new Set(['IdempotencyKeyTaken']));
  });

  it('bind a license to exactly one of 20 machines', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const license = await stored.license();
      const outcomes = await settleEach(20, ({ licenses }, index) =>
        licenses.activate(...activationOf(license, `machine ${index}`)),
      );
      expect(failuresOf(outcomes)).toStrictEqual(new Set());
      expect(resultsOf(outcomes).filter((one) => one !== null)).toHaveLength(1);
    }
  });

  it('bind a license to one machine, and issue its certificate alone', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const license = await stored.license();
      const outcomes = await settleEach<unknown>(20, ({ licenses }, index) => {
        const machineId = `machine ${index}`;
        // Two neighbours are calls of different instances.
        return index % 3
          ? licenses.certify(aCertification(license, machineId))
          : licenses.activate(...activationOf(license, machineId));
      });
      expect(failuresOf(outcomes)).toStrictEqual(new Set());
      const results = resultsOf(outcomes);
      const winner = results.findIndex((one) => one !== null);
      expect(results.filter((one) => one !== null)).toHaveLength(1);
      expect(await stored.find(license)).toMatchObject({ machineId: `machine ${winner}` });
      const types = (await stored.eventsOf(license)).map(({ type }) => type);
      const certified = winner % 3 ? ['certificate_issued'] : [];
      expect(types).toStrictEqual([...certified, 'activated', 'created']);
    }
  });

  it('issue no certificate for a license that was revoked first, and none without its event', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const license = await stored.activeLicense();
      const certified = await settleEach(20, async ({ licenses }, index) => {
        if (index !== 3 + (round % 8)) return licenses.certify(aCertification(license));
        expect(await licenses.revoke(...revocationOf(license))).not.toBeNull();
        expect(await licenses.certify(aCertification(license))).toBeNull();
        return null;
      });
      expect(failuresOf(certified)).toStrictEqual(new Set());
      const issued = resultsOf(certified).filter((one) => one !== null);
      const types = (await stored.eventsOf(license)).map(({ type }) => type);
      expect(types.filter((type) => type === 'certificate_issued')).toHaveLength(issued.length);
    }
  });

  it('give a product to a project whose licenses are activated at the same time', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { project, license } = await stored.project();
      const licenses = [license];
      while (licenses.length < 20) licenses.push(await stored.licenseOf(project));
      const [updated, activated] = await race(
        round,
        () => store.projects.update(project._id, project.owner, { product: 'shop' }, at(5)),
        () =>
          settleEach(20, (one, index) => one.licenses.activate(...activationOf(licenses[index]!))),
      );
      expect(updated).toStrictEqual({ ...project, product: 'shop', updatedAt: at(5) });
      expect(failuresOf(activated)).toStrictEqual(new Set());
      for (const each of licenses) {
        const expected = { status: 'ACTIVE', machineId: 'machine 1', product: 'shop' };
        expect(await stored.find(each)).toMatchObject(expected);
      }
    }
  });

  it('count every one of 20 rejected activations', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const license = await stored.license();
      const rejected = anEvent(license, 'activation_refused', { reason: 'revoked' });
      const outcomes = await settleEach(20, ({ events }, index) =>
        events.recordRejection({ ...rejected, at: at(index) }),
      );
      expect(failuresOf(outcomes)).toStrictEqual(new Set());
      const events = await stored.eventsOf(license);
      expect(events.map(({ type, count }) => [type, count])).toStrictEqual([
        ['activation_refused', 20],
        ['created', 1],
      ]);
      expect(events[0]?.at).toStrictEqual(at(19));
    }
  });

  it('enforce one quota for 20 writes at the same time', async () => {
    instances.forEach(({ quotas }) => Object.assign(quotas, { clients: 5, idempotencyRecords: 7 }));
    const codesOf = (outcomes: PromiseSettledResult<unknown>[]) =>
      outcomes.map((one) =>
        one.status === 'rejected' ? (one.reason as { code: string }).code : 'done',
      );
    for (let round = 0; round < ROUNDS / 4; round++) {
      const owner = newAccountId();
      const created = await settleEach(20, ({ clients }) => clients.create(aClient({ owner })));
      expect(codesOf(created).sort()).toStrictEqual([
        ...Array<string>(15).fill('CLIENT_QUOTA_REACHED'),
        ...Array<string>(5).fill('done'),
      ]);
      const idempotent = await settleEach(20, ({ clients }) =>
        clients.create(aClient(), anIdempotencyRecord({ owner })),
      );
      expect(codesOf(idempotent).sort()).toStrictEqual([
        ...Array<string>(13).fill('IDEMPOTENCY_QUOTA_REACHED'),
        ...Array<string>(7).fill('done'),
      ]);
    }
    instances.forEach(({ quotas }) => Object.assign(quotas, NO_QUOTAS));
  });

  const renew = (license: License, idempotency?: IdempotencyRecord) =>
    [license, aRenewal(license, 6, at(5)), anEvent(license, 'renewed'), idempotency] as const;

  it.each<[string, Partial<License>, (one: MongoUnderTest, of: License) => Promise<unknown>]>([
    ['activation', {}, ({ licenses }, of) => licenses.activate(...activationOf(of))],
    ['certificate', {}, ({ licenses }, of) => licenses.certify(aCertification(of))],
    ['renewal', activeUntil(at(3)), ({ licenses }, of) => licenses.renew(...renew(of))],
    [
      'renewal with an idempotency key',
      activeUntil(at(3)),
      ({ licenses }, of) => licenses.renew(...renew(of, anIdempotencyRecord({ owner: of.user }))),
    ],
  ])('never delete a license whose %s was acknowledged', async (_change, fields, makeActive) => {
    const outcomes = new Set<unknown>();
    for (let round = 0; round < ROUNDS * 2; round++) {
      const { project, license } = await stored.project(undefined, {}, fields);
      const [one, other] = [instances[round % 4]!, instances[(round + 1) % 4]!];
      const change = async () => {
        // A deletion takes longer: each is the first to change a record in some rounds.
        await setTimeout(round % 8);
        return makeActive(one, license);
      };
      const remove = () => other.projects.deleteWithLicenses(project._id, project.owner, at(5));
      const [changed, removed] = await race(round, change, remove);
      outcomes.add(removed);
      expect(removed).toBe(changed ? 'has_active_licenses' : 'deleted');
      expect((await stored.find(license))?.status).toBe(changed ? 'ACTIVE' : undefined);
      expect((await store.projects.findOwned(project._id, project.owner)) !== null).toBe(!!changed);
    }
    expect(outcomes).toContain('deleted');
  });

  it('keep a project where a deletion ended half way, and can delete it later', async () => {
    const { project, license } = await stored.project();
    const announcement = { $set: { deletion: new Types.ObjectId() } };
    const records = store.collection('projects');
    await records.updateOne({ _id: new Types.ObjectId(project._id) }, announcement);
    expect(await stored.find(license)).toStrictEqual(license);
    expect(await store.projects.findOwned(project._id, project.owner)).toStrictEqual(project);
    expect(await store.licenses.activate(...activationOf(license))).not.toBeNull();
    expect(await records.countDocuments({ deletion: { $exists: true } })).toBe(0);

    await records.updateOne({ _id: new Types.ObjectId(project._id) }, announcement);
    const remove = (now: Date) =>
      store.projects.deleteWithLicenses(project._id, project.owner, now);
    expect(await remove(at(5))).toBe('has_active_licenses');
    expect(await remove(at(1_000_000))).toBe('deleted');
  });

  it('remove the licenses of a project that another instance has deleted', async () => {
    for (let round = 0; round < ROUNDS / 4; round++) {
      const { project } = await stored.project();
      for (let count = 0; count < 5; count++) await stored.licenseOf(project);
      const before = await store.count('licenses');
      expect(await store.projects.deleteWithLicenses(project._id, project.owner, at(5))).toBe(
        'deleted',
      );
      await Promise.all(instances.map((instance) => instance.removeDeleted()));
      expect(await store.count('licenses')).toBe(before - 6);
    }
  });

  it('leave no orphan where a project is deleted while its records change', async () => {
    for (let round = 0; round < ROUNDS * 2; round++) {
      const { project, license } = await stored.project();
      const rejected = anEvent(license, 'activation_refused', { reason: 'revoked' });
      const calls: ((one: MongoUnderTest) => Promise<unknown>)[] = [
        ({ projects }) => projects.deleteWithLicenses(project._id, project.owner, at(5)),
        ({ licenses }) => licenses.activate(...activationOf(license)),
        ({ projects }) => projects.addLicense(aNewLicense(aLicense(project))),
        ({ events }) => events.recordRejection(rejected),
        ({ licenses }) => licenses.reissue(aReissue(license)),
        ({ licenses }) => licenses.certify(aCertification(license)),
        ({ projects }) => projects.update(project._id, project.owner, { product: 'shop' }, at(5)),
      ];
      const first = round % calls.length;
      const rotated = [...calls.slice(first), ...calls.slice(0, first)];
      const outcomes = await settleEach(calls.length, (one, index) => rotated[index]!(one));
      expect(failuresOf(outcomes)).toStrictEqual(new Set());
      const deleted = resultsOf(outcomes).includes('deleted');
      expect((await stored.find(license)) === null).toBe(deleted);
      // A rejection of a deleted license must store nothing.
      if (deleted) await store.events.recordRejection(rejected);
    }
  });
});
