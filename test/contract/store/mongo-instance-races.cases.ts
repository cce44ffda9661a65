import { setTimeout } from 'node:timers/promises';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { anIdempotencyRecord } from '../../builders/idempotency-record.builder.js';
import { aClient } from '../../builders/client.builder.js';
import { anEvent } from '../../builders/event.builder.js';
import { aLicense, aNewLicense, anActivation, aReissue } from '../../builders/license.builder.js';
import { at } from '../../builders/time.js';
import { NO_QUOTAS } from '../../no-limits.js';
import { timesInScope } from '../../scope.js';
import { describeOnMongo } from '../engines.js';
import { instancesOnOneDatabase } from '../instances.js';
import type { MongoUnderTest } from '../mongo.engine.js';
import { firstPage } from '../pages.js';
import { race as inTurn } from '../race.js';
import { Stored } from '../stored.js';

const ROUNDS = timesInScope(20);

/** Instances share nothing but the database: here no two transactions take turns. */
describeOnMongo('changes by several instances on one MongoDB', () => {
  const instances = instancesOnOneDatabase(4);
  let store: MongoUnderTest;
  let stored: Stored;
  beforeAll(() => {
    store = instances[0]!;
    stored = new Stored(store);
  });
  afterEach(async () => expect(await store.contradictions()).toStrictEqual([]));

  /** What becomes of each of `times` simultaneous calls, the instances taking turns. */
  const race = <T>(times: number, call: (one: MongoUnderTest, index: number) => Promise<T>) =>
    Promise.allSettled(
      Array.from({ length: times }, (_, index) =>
        call(instances[index % instances.length]!, index),
      ),
    );
  const resultsOf = <T>(outcomes: PromiseSettledResult<T>[]) =>
    outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failuresOf = (outcomes: PromiseSettledResult<unknown>[]) =>
    new Set(outcomes.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : [])));
  const revocation = { revokedAt: at(3), revokedReason: null };

  it('run once one of 20 writes with the same idempotency key', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [owner, idempotency] = [newAccountId(), anIdempotencyRecord()];
      const outcomes = await race(20, ({ clients }) =>
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

  it('run one of two writes to different licenses with the same idempotency key', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [idempotency, rivals] = [
        anIdempotencyRecord(),
        [await stored.license(), await stored.license()],
      ];
      const outcomes = await race(2, (_, index) => {
        const { licenses } = instances[round % 2 ? index : 0]!;
        const { _id, user } = rivals[index]!;
        return licenses.revoke(_id, user, revocation, anEvent({ _id }, 'revoked'), idempotency);
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
    const outcomes = await race(20, ({ clients }) =>
      clients.create(aClient({ owner }), idempotency),
    );
    expect(resultsOf(outcomes)).toHaveLength(1);
    expect(failuresOf(outcomes)).toStrictEqual(new Set(['IdempotencyKeyTaken']));
  });

  it('bind a license to exactly one of 20 machines', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { _id } = await stored.license();
      const outcomes = await race(20, ({ licenses }, index) =>
        licenses.activate(_id, anActivation(`machine ${index}`), anEvent({ _id }, 'activated')),
      );
      expect(failuresOf(outcomes)).toStrictEqual(new Set());
      expect(resultsOf(outcomes).filter((one) => one !== null)).toHaveLength(1);
    }
  });

  it('count every one of 20 rejected activations, the first ones too', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const license = await stored.license();
      const rejected = anEvent(license, 'activation_refused', { reason: 'revoked' });
      const outcomes = await race(20, ({ events }, index) =>
        events.recordRejection({ ...rejected, at: at(index) }),
      );
      expect(failuresOf(outcomes)).toStrictEqual(new Set());
      const { data } = await store.events.list(license._id, firstPage());
      expect(data.map(({ type, count }) => [type, count])).toStrictEqual([
        ['activation_refused', 20],
        ['created', 1],
      ]);
      expect(data[0]?.at).toStrictEqual(at(19));
    }
  });

  it('hold 20 at once to one quota', async () => {
    instances.forEach(({ quotas }) => Object.assign(quotas, { clients: 5, idempotencyRecords: 7 }));
    const codesOf = (outcomes: PromiseSettledResult<unknown>[]) =>
      outcomes.map((one) =>
        one.status === 'rejected' ? (one.reason as { code: string }).code : 'done',
      );
    for (let round = 0; round < ROUNDS / 4; round++) {
      const owner = newAccountId();
      const created = await race(20, ({ clients }) => clients.create(aClient({ owner })));
      expect(codesOf(created).sort()).toStrictEqual([
        ...Array<string>(15).fill('CLIENT_QUOTA_REACHED'),
        ...Array<string>(5).fill('done'),
      ]);
      const idempotent = await race(20, ({ clients }) =>
        clients.create(aClient(), anIdempotencyRecord({ owner })),
      );
      expect(codesOf(idempotent).sort()).toStrictEqual([
        ...Array<string>(13).fill('IDEMPOTENCY_QUOTA_REACHED'),
        ...Array<string>(7).fill('done'),
      ]);
    }
    instances.forEach(({ quotas }) => Object.assign(quotas, NO_QUOTAS));
  });

  it('never delete a license whose activation was acknowledged', async () => {
    for (let round = 0; round < ROUNDS * 2; round++) {
      const { project, license } = await stored.project();
      const [one, other] = [instances[round % 4]!, instances[(round + 1) % 4]!];
      const activate = async () => {
        // A deletion takes longer: so each of the two is the first to change the license in some rounds.
        await setTimeout(round % 8);
        return one.licenses.activate(
          license._id,
          anActivation('machine 1'),
          anEvent(license, 'activated'),
        );
      };
      const remove = () => other.projects.deleteWithLicenses(project._id, project.owner, at(5));
      const [activated, removed] = await inTurn(round, activate, remove);
      expect(removed).toBe(activated ? 'has_active_licenses' : 'deleted');
      expect(await store.licenses.findOwned(license._id, license.user)).toStrictEqual(activated);
    }
  });

  it('leave no orphan where a project is deleted, whatever comes below it meanwhile', async () => {
    for (let round = 0; round < ROUNDS * 2; round++) {
      const { project, license } = await stored.project();
      const rejected = anEvent(license, 'activation_refused', { reason: 'revoked' });
      const calls: ((one: MongoUnderTest) => Promise<unknown>)[] = [
        ({ projects }) => projects.deleteWithLicenses(project._id, project.owner, at(5)),
        ({ licenses }) =>
          licenses.activate(license._id, anActivation('machine 1'), anEvent(license, 'activated')),
        ({ projects }) => projects.addLicense(aNewLicense(aLicense(project))),
        ({ events }) => events.recordRejection(rejected),
        ({ licenses }) => licenses.reissue(aReissue(license)),
      ];
      const first = round % calls.length;
      const turned = [...calls.slice(first), ...calls.slice(0, first)];
      const outcomes = await race(calls.length, (one, index) => turned[index]!(one));
      expect(failuresOf(outcomes)).toStrictEqual(new Set());
      const deleted = resultsOf(outcomes).includes('deleted');
      const kept = await store.licenses.findOwned(license._id, license.user);
      expect(kept === null).toBe(deleted);
      // One that comes too late tells of a license that is gone.
      if (deleted) await store.events.recordRejection(rejected);
    }
  });
});
