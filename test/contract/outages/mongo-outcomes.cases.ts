import {
  type Change,
  increment,
  insert,
  remove,
  removeAll,
  replace,
  setAll,
} from '../../../src/storage/changes.js';
import { describeOnMongo } from '../../engines.js';
import { inRequest } from '../in-request.js';
import { mongodb } from '../engines.js';
import type { MongoUnderTest } from '../mongo-under-test.js';
import {
  aLabel,
  anItem,
  aShelf,
  type Item,
  ITEMS,
  LABELS,
  type Shelf,
  SHELVES,
} from '../records.js';
import { useStore } from '../use-store.js';
import type { Failure } from '../while-failing.js';

/** The server has done nothing. */
const LOST_CONNECTION = { closeConnection: true };
const NOT_PRIMARY = { errorCode: 10107, errorLabels: ['RetryableWriteError'] };
const WRITE_CONFLICT = { errorCode: 112, errorLabels: ['TransientTransactionError'] };
const NO_SUCH_TRANSACTION = { errorCode: 251, errorLabels: ['TransientTransactionError'] };
/** The statement is done, and the primary steps down before a majority has it. */
const STEPPED_DOWN = {
  writeConcernError: { code: 189, errmsg: 'the primary stepped down' },
  errorLabels: ['RetryableWriteError'],
};
/** The statement is done, but the server does not know whether a majority has it. */
const TIMED_OUT = { writeConcernError: { code: 50, errmsg: 'waiting exceeded the time limit' } };

/** Milliseconds. */
const DEADLINE = 15_000;

const WRITES = ['insert', 'update', 'delete', 'findAndModify'];

describeOnMongo('a commit on MongoDB whose statements fail', () => {
  const { store, opened, stored } = useStore(mongodb);
  const mongo = opened as MongoUnderTest;
  let item: Item;
  let shelf: Shelf;
  beforeEach(async () => {
    item = await stored(ITEMS, anItem({ code: 'old' }));
    shelf = await stored(SHELVES, aShelf());
  });

  const KINDS: Record<Change['kind'], () => Change> = {
    insert: () => insert(ITEMS, anItem({ code: 'new' })),
    replace: () => replace(ITEMS, item, { ...item, code: 'new' }),
    remove: () => remove(ITEMS, item),
    increment: () => increment(SHELVES, shelf._id, { items: 1 }, { atMost: { items: 1 } }),
    removeAll: () => removeAll(ITEMS, { code: 'old' }),
    setAll: () => setAll(ITEMS, { code: 'old' }, { rank: 7 }),
  };
  const kinds = Object.keys(KINDS) as Change['kind'][];

  /** The state that the changes leave, if each was made once. */
  const EXPECTED: Record<Change['kind'], unknown> = {
    insert: ['old 1', 'new 1', 0],
    replace: ['new 1', 0],
    remove: [0],
    increment: ['old 1', 1],
    removeAll: [0],
    setAll: ['old 7', 0],
  };
  const state = async () => {
    const items = await store.list(ITEMS, {}, { by: '_id', direction: 'asc' }, { limit: 9 });
    const { items: count } = (await store.find(SHELVES, { _id: shelf._id }))!;
    return [...items.map(({ code, rank }) => `${code} ${rank}`), count];
  };

  const expectMade = async (kind: Change['kind'], failure: Failure, times: number) => {
    // The label is inserted at last.
    const changes = [KINDS[kind](), insert(LABELS, aLabel('a'))];
    // The deadline is not what is tried: a busy machine takes long to find the primary again.
    const commit = () => inRequest(DEADLINE, () => store.commit(changes));
    const committed = await mongo.whileInjecting(failure, commit, { times });
    expect(committed).toMatchObject({ ok: true });
    expect(await state()).toEqual(EXPECTED[kind]);
    expect(await store.count(LABELS, {})).toBe(1);
  };

  const CAUSES: readonly [string, object, number][] = [
    ['a write conflict', WRITE_CONFLICT, 3],
    ['a transaction that is gone', NO_SUCH_TRANSACTION, 3],
    ['a lost connection', LOST_CONNECTION, 1],
    ['a change of the primary', NOT_PRIMARY, 1],
    ['an unknown outcome', TIMED_OUT, 2],
  ];

  it.each(
    kinds.flatMap((kind) =>
      [...CAUSES, ['a change of the primary after it', STEPPED_DOWN, 1] as const].map(
        (cause) => [kind, ...cause] as const,
      ),
    ),
  )('makes changes once, one being %s, after %s', (kind, _cause, failure, times) =>
    expectMade(kind, { failCommands: WRITES, ...failure }, times),
  );

  it.each(CAUSES)(
    'makes all of its changes once after %s at their commit',
    (_cause, cause, times) =>
      expectMade('increment', { failCommands: ['commitTransaction'], ...cause }, times),
  );

  it.each<[string, object]>([
    ['a lost connection', LOST_CONNECTION],
    ['a change of the primary', NOT_PRIMARY],
    ['a write conflict', WRITE_CONFLICT],
  ])('names the change that fails after %s', async (_cause, cause) => {
    const failing = insert(ITEMS, anItem({ code: 'old' }));
    for (const more of cause === WRITE_CONFLICT ? [1] : [0, 1]) {
      const changes = [insert(LABELS, aLabel('a')), failing].slice(1 - more);
      const failure = { failCommands: WRITES, ...cause };
      const committed = await mongo.whileInjecting(failure, () => store.commit(changes), {
        times: 1,
      });
      expect(committed).toStrictEqual({ ok: false, failed: failing });
    }
    expect(await store.count(LABELS, {})).toBe(0);
  });

  it.each<[string, string, object]>([
    ['a write conflict', 'OVERLOADED', WRITE_CONFLICT],
    ['a transaction that is gone', 'STORE_UNAVAILABLE', NO_SUCH_TRANSACTION],
    ['a lost connection', 'STORE_UNAVAILABLE', LOST_CONNECTION],
  ])('gives up after %s each time until its deadline: %s', async (_cause, code, cause) => {
    const work = () => inRequest(600, () => store.commit([KINDS.increment()]));
    const commit = mongo.whileInjecting({ failCommands: WRITES, ...cause }, work);
    await expect(commit).rejects.toMatchObject({ code });
    expect(await state()).toEqual(['old 1', 0]);
  });

  it('gives up as overloaded behind another commit of its record that is in conflict', async () => {
    const commitIn = (milliseconds: number) =>
      inRequest(milliseconds, () => store.commit([replace(SHELVES, shelf, shelf)]));
    const work = () => Promise.allSettled([commitIn(1_500), commitIn(600)]);
    const commits = await mongo.whileInjecting({ failCommands: WRITES, ...WRITE_CONFLICT }, work);
    const overloaded = { status: 'rejected', reason: { code: 'OVERLOADED' } };
    expect(commits).toMatchObject([overloaded, overloaded]);
  });

  it('makes each of several waiting commits once after a write conflict', async () => {
    const commits = Array.from({ length: 20 }, (_, index) => [
      increment(SHELVES, shelf._id, { items: 1 }, { atMost: { items: 15 } }),
      insert(LABELS, aLabel(`${index}`)),
    ]);
    const failure = { failCommands: WRITES, ...WRITE_CONFLICT };
    const work = () => Promise.all(commits.map((commit) => store.commit(commit)));
    const outcomes = await mongo.whileInjecting(failure, work, { times: 5 });
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(15);
    expect(await state()).toEqual(['old 1', 15]);
    expect(await store.count(LABELS, {})).toBe(15);
  });
});
