import { mongo as driver } from 'mongoose';
import { increment, insert } from '../../../src/storage/changes.js';
import { describeOnMongo } from '../../engines.js';
import { Random } from '../../random.js';
import { compareWithModel } from '../compare-with-model.js';
import { mongodb } from '../engines.js';
import { inRequest } from '../in-request.js';
import { ModelStore } from '../model-store.js';
import type { MongoUnderTest } from '../mongo-under-test.js';
import { aShelf, type Shelf, SHELVES } from '../records.js';
import { useStore } from '../use-store.js';

/** The server has done nothing. */
const LOST_CONNECTION = { closeConnection: true };
const NOT_PRIMARY = { errorCode: 10107, errorLabels: ['RetryableWriteError'] };
const WRITE_CONFLICT = { errorCode: 112, errorLabels: ['TransientTransactionError'] };
const NO_SUCH_TRANSACTION = { errorCode: 251, errorLabels: ['TransientTransactionError'] };
/** The statement has run, and the primary steps down before a majority has it. */
const STEPPED_DOWN = {
  writeConcernError: { code: 189, errmsg: 'the primary stepped down' },
  errorLabels: ['RetryableWriteError'],
};
/** The statement has run, but the server does not know whether a majority has it. */
const TIMED_OUT = { writeConcernError: { code: 50, errmsg: 'waiting exceeded the time limit' } };

/** In milliseconds; not under test, because a busy machine takes long to find the primary again. */
const DEADLINE = 15_000;

const WRITES = ['insert', 'update', 'delete', 'findAndModify'];
const COMMIT = ['commitTransaction'];
/** The failing commands of a step, how they fail, and how often. */
const FAILURES: readonly [string[], object, number][] = [
  [WRITES, WRITE_CONFLICT, 3],
  [WRITES, NO_SUCH_TRANSACTION, 3],
  [WRITES, LOST_CONNECTION, 1],
  [WRITES, NOT_PRIMARY, 1],
  [WRITES, STEPPED_DOWN, 1],
  [WRITES, TIMED_OUT, 2],
  [COMMIT, WRITE_CONFLICT, 3],
  [COMMIT, NO_SUCH_TRANSACTION, 3],
  [COMMIT, LOST_CONNECTION, 1],
  [COMMIT, NOT_PRIMARY, 1],
  [COMMIT, TIMED_OUT, 2],
];
const STEPS = 15 * FAILURES.length;

describeOnMongo('commits on MongoDB whose statements fail', () => {
  const { store, opened, stored } = useStore(mongodb);
  const mongo = opened as MongoUnderTest;

  it('match the model, whichever command fails', async () => {
    let step = 0;
    const failing = <T>(work: () => Promise<T>) => {
      const [failCommands, cause, times] = FAILURES[step++ % FAILURES.length]!;
      const one = () => inRequest(DEADLINE, work);
      return mongo.whileInjecting({ failCommands, ...cause }, one, { times });
    };
    await compareWithModel([store], new ModelStore(), new Random(1), STEPS, failing);
  });

  describe('each time', () => {
    let shelf: Shelf;
    beforeEach(async () => {
      shelf = await stored(SHELVES, aShelf());
    });

    it.each<[string, string, object]>([
      ['a write conflict', 'OVERLOADED', WRITE_CONFLICT],
      ['a transaction that is gone', 'STORE_UNAVAILABLE', NO_SUCH_TRANSACTION],
      ['a lost connection', 'STORE_UNAVAILABLE', LOST_CONNECTION],
    ])('give up at their deadline: after %s, with %s', async (_cause, code, cause) => {
      const commit = () => store.commit([increment(SHELVES, shelf._id, { items: 1 })]);
      const work = () => inRequest(600, commit);
      const outcome = mongo.whileInjecting({ failCommands: WRITES, ...cause }, work);
      await expect(outcome).rejects.toMatchObject({ code });
      expect(await store.find(SHELVES, { _id: shelf._id })).toMatchObject({ items: 0 });
    });
  });

  it('of other records succeed while another transaction holds a record', async () => {
    const [locked, free] = [await stored(SHELVES, aShelf()), await stored(SHELVES, aShelf())];
    const session = mongo.client.startSession();
    session.startTransaction();
    const ofLocked = { _id: new driver.ObjectId(locked._id) };
    await mongo.collection('shelves').updateOne(ofLocked, { $inc: { weight: 1 } }, { session });
    const add = ({ _id }: Shelf) =>
      inRequest(DEADLINE, () => store.commit([increment(SHELVES, _id, { items: 1 })]));
    let isMade = false;
    const waiting = add(locked).then(() => (isMade = true));
    for (let time = 0; time < 3; time += 1) expect(await add(free)).toMatchObject({ ok: true });
    expect(isMade).toBe(false);
    await session.abortTransaction();
    await waiting;
    await session.endSession();
    expect(await store.find(SHELVES, { _id: locked._id })).toMatchObject({ items: 1, weight: 0 });
  });

  it('conflict with an instance killed during a transaction only until its lease has expired', async () => {
    const shelf = await stored(SHELVES, aShelf());
    const killed = await mongo.join();
    const session = killed.client.startSession();
    session.startTransaction();
    await killed.collection('shelves').updateOne({}, { $inc: { weight: 1 } }, { session });
    const add = (milliseconds: number) =>
      inRequest(milliseconds, () => store.commit([increment(SHELVES, shelf._id, { items: 1 })]));
    const isHeldUp = () => expect(add(3_000)).rejects.toMatchObject({ code: 'OVERLOADED' });
    // On a busy machine, the last attempts have too little time to meet the lock.
    const late = { failCommands: ['update'], errorCode: 50 };
    await mongo.whileInjecting(late, isHeldUp, { skip: 2 });
    const lapsed = { sessions: [session.id], until: new Date(0) };
    await killed.collection('instances').insertOne(lapsed);
    expect(await add(10_000)).toMatchObject({ ok: true });
    expect(await store.find(SHELVES, { _id: shelf._id })).toMatchObject({ items: 1, weight: 0 });
    await session.endSession();
    await killed.leave();
    expect(await store.commit([insert(SHELVES, aShelf())])).toMatchObject({ ok: true });
  });
});
