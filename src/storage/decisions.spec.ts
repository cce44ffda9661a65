import { setTimeout } from 'node:timers/promises';
import { anIdempotencyRecord, at } from '../../test/builders.js';
import { aLabel, aShelf, LABELS, type Shelf, SHELVES } from '../../test/contract/records.js';
import { useServices } from '../../test/services.js';
import type { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import {
  IDEMPOTENCY_TTL_MS,
  type IdempotencyRecord,
} from '../shared/idempotency/idempotency-record.js';
import { type RequestContext, requestContext } from '../shared/request-context.js';
import { type Change, insert, replace, touch } from './changes.js';
import { Decisions, MAX_WAITING } from './decisions.js';

jest.mock('node:timers/promises', () => ({ setTimeout: jest.fn(async () => undefined) }));

const pauses = () => jest.mocked(setTimeout).mock.calls.map(([milliseconds]) => milliseconds);

const { store, clock, the } = useServices();

describe('Decisions', () => {
  let shelf: Shelf;
  let decisions: Decisions;
  let commit: jest.SpyInstance;
  beforeEach(async () => {
    jest.mocked(setTimeout).mockClear();
    shelf = aShelf();
    decisions = the(Decisions);
    await store.commit([insert(SHELVES, shelf)]);
    commit = jest.spyOn(store, 'commit');
  });

  const read = async (): Promise<Shelf> => (await store.find(SHELVES, { _id: shelf._id }))!;
  const times = <T>(count: number, work: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => work(index));

  /** Increments by reading and replacing, which conflicts with any other change. */
  const count = async () => {
    const before = await read();
    const items = before.items + 1;
    return { result: { items }, changes: [replace(SHELVES, before, { ...before, items })] };
  };

  describe('run', () => {
    it('gives up at its deadline if other requests keep winning, after growing pauses', async () => {
      let time = 1000;
      const now = jest.spyOn(performance, 'now').mockImplementation(() => (time += 10));
      const decide = jest.fn(async () => {
        const decision = await count();
        await store.commit([touch(SHELVES, shelf._id)]);
        return decision;
      });
      const overloaded = { code: 'OVERLOADED', rejectedBy: 'record_lock' };
      const context = { endsAt: 2000 } as RequestContext;
      const run = requestContext.run(context, () => decisions.run(decide));
      await expect(run).rejects.toMatchObject(overloaded);
      now.mockRestore();
      expect(decide.mock.calls.length).toBeGreaterThan(12);
      expect(pauses()).toHaveLength(decide.mock.calls.length - 1);
      pauses().forEach((pause, index) =>
        expect(pause).toBeLessThan(Math.min(2 ** (index + 2), 100)),
      );
      expect(await read()).toMatchObject({ items: 0 });
    });

    it('fails with OVERLOADED at the deadline after a lost race, or STORE_UNAVAILABLE on the first attempt', async () => {
      const unavailable = new DomainError('STORE_UNAVAILABLE');
      commit.mockRejectedValueOnce(unavailable);
      await expect(decisions.run(count)).rejects.toBe(unavailable);
      const failed = touch(SHELVES, shelf._id);
      commit.mockResolvedValueOnce({ ok: false, failed }).mockRejectedValueOnce(unavailable);
      const overloaded = { code: 'OVERLOADED', rejectedBy: 'record_lock', cause: unavailable };
      await expect(decisions.run(count)).rejects.toMatchObject(overloaded);
    });

    it('fails with OVERLOADED at the deadline after waiting for decisions with the same key', async () => {
      const unavailable = new DomainError('STORE_UNAVAILABLE');
      commit.mockRejectedValueOnce(unavailable).mockRejectedValueOnce(unavailable);
      const run = () => decisions.run(count, { key: shelf._id }).catch((error: unknown) => error);
      const [first, second] = await Promise.all([run(), run()]);
      expect(first).toBe(unavailable);
      expect(second).toMatchObject({ code: 'OVERLOADED', rejectedBy: 'record_lock' });
    });

    it('runs decisions with the same key one at a time, without conflicts', async () => {
      await Promise.all(times(20, () => decisions.run(count, { key: shelf._id })));
      expect(await read()).toMatchObject({ items: 20 });
      expect(commit).toHaveBeenCalledTimes(20);
      expect(pauses()).toEqual([]);
    });

    it('rejects a decision if too many wait for its key, but not for another key', async () => {
      const run = (key: string) => decisions.run(count, { key });
      const running = run(shelf._id);
      const waiting = times(MAX_WAITING, () => run(shelf._id));
      await expect(run(shelf._id)).rejects.toMatchObject({
        code: 'TOO_MANY_CONCURRENT_REQUESTS',
        rejectedBy: 'record_lock',
        retryAfter: 1,
      });
      await run('another');
      await Promise.all([running, ...waiting]);
      expect(await read()).toMatchObject({ items: MAX_WAITING + 2 });
    });

    it('rejects a decision still waiting at its deadline, and never runs it', async () => {
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const first = decisions.run(() => released.then(count), { key: shelf._id });
      const context = { endsAt: performance.now() + 5 } as RequestContext;
      const late = requestContext.run(context, () => decisions.run(count, { key: shelf._id }));
      await expect(late).rejects.toMatchObject({ code: 'OVERLOADED', rejectedBy: 'record_lock' });
      release();
      await first;
      await decisions.run(count, { key: shelf._id });
      expect(await read()).toMatchObject({ items: 2 });
    });
  });

  describe('run with an idempotency record', () => {
    let idempotency: IdempotencyRecord;
    beforeEach(() => {
      const createdAt = clock.now();
      const expiresAt = new Date(createdAt.getTime() + IDEMPOTENCY_TTL_MS);
      idempotency = anIdempotencyRecord({ createdAt, expiresAt });
    });

    it('returns the first result to a repeat that lost the race', async () => {
      const create = async () => {
        if (await store.find(LABELS, { _id: 'a' })) throw new DomainError('CLIENT_EMAIL_TAKEN');
        return { result: { created: 'a' }, changes: [insert(LABELS, aLabel('a'))] };
      };
      const run = () => decisions.run(create, { idempotency });
      // The first request commits after the repeated one has found no result.
      const repeat = async () => {
        await run();
        return create();
      };
      expect(await decisions.run(repeat, { idempotency })).toStrictEqual({ created: 'a' });
      expect(await Promise.all(times(5, run))).toStrictEqual(times(5, () => ({ created: 'a' })));
      const another = anIdempotencyRecord({ ...idempotency, _id: 'another' });
      const rejected = decisions.run(create, { idempotency: another });
      await expect(rejected).rejects.toMatchObject({ code: 'CLIENT_EMAIL_TAKEN' });
    });

    it('stores neither changes nor a result if the request is rejected, so it can be retried', async () => {
      const changes = [insert(LABELS, aLabel('b')), touch(SHELVES, 'f'.repeat(24))];
      const failing = async (failed?: Change) => {
        if (!failed) return { result: {}, changes };
        expect(failed).toBe(changes[1]);
        throw new DomainError('LICENSE_REVOKED');
      };
      await expect(decisions.run(failing, { idempotency })).rejects.toBeInstanceOf(DomainError);
      expect(await store.find(LABELS, { _id: 'b' })).toBeNull();
      expect(await decisions.findResult(idempotency)).toBeUndefined();
      expect(await decisions.run(count, { idempotency })).toEqual({ items: 1 });
    });
  });
});

describe('The quota of idempotency records', () => {
  const REACHED = { code: 'IDEMPOTENCY_QUOTA_REACHED' };
  const { owner } = anIdempotencyRecord();
  const aRecord = (fields: Partial<IdempotencyRecord> = {}) =>
    anIdempotencyRecord({ owner, ...fields });
  const withQuota = (idempotencyRecords: number) => {
    const config = { quotas: { idempotencyRecords } } as Config;
    return new Decisions(store, { addEffects: async (changes) => changes }, config, clock);
  };
  const add = (decisions: Decisions, idempotency = aRecord()) =>
    decisions.run(async () => ({ result: {}, changes: [] }), { idempotency });

  it.each([
    [1, 2],
    [100, 9],
  ])(
    'allows exactly %d records per account, and counts at most %d times',
    async (allowed, counts) => {
      const count = jest.spyOn(store, 'count');
      const quota = withQuota(allowed);
      for (let added = 0; added < allowed; added += 1) await add(quota);
      await expect(add(quota)).rejects.toMatchObject(REACHED);
      expect(count.mock.calls.length).toBeLessThanOrEqual(counts);
      await add(quota, anIdempotencyRecord());
    },
  );

  it('counts only unexpired records, including those of other instances', async () => {
    const [one, other] = [withQuota(2), withQuota(2)];
    await add(one, aRecord({ createdAt: at(0), expiresAt: at(10) }));
    await add(other, aRecord({ createdAt: at(0), expiresAt: at(20) }));
    await expect(add(one, aRecord({ createdAt: at(9) }))).rejects.toMatchObject(REACHED);
    await add(one, aRecord({ createdAt: at(10), expiresAt: at(30) }));
    await expect(add(one, aRecord({ createdAt: at(19) }))).rejects.toMatchObject(REACHED);
  });
});
