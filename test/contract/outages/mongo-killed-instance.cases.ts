import { increment, insert } from '../../../src/storage/changes.js';
import { describeOnMongo } from '../../engines.js';
import { inRequest } from '../in-request.js';
import { mongodb } from '../engines.js';
import type { MongoUnderTest } from '../mongo-under-test.js';
import { aShelf, SHELVES } from '../records.js';
import { useStore } from '../use-store.js';

describeOnMongo('an instance on MongoDB that is killed amid a transaction', () => {
  const { store, opened, stored } = useStore(mongodb);

  it('blocks its records for the others until its lease has lapsed, and no longer', async () => {
    const shelf = await stored(SHELVES, aShelf());
    const killed = await (opened as MongoUnderTest).join();
    const client = killed.connection.getClient();
    const session = client.startSession();
    session.startTransaction();
    await killed.collection('shelves').updateOne({}, { $inc: { weight: 1 } }, { session });
    const add = (milliseconds: number) =>
      inRequest(milliseconds, () => store.commit([increment(SHELVES, shelf._id, { items: 1 })]));
    const isHeldUp = () => expect(add(3_000)).rejects.toMatchObject({ code: 'OVERLOADED' });
    // On a machine that is busy, the last attempts have too little time to meet the lock.
    const late = { failCommands: ['update'], errorCode: 50 };
    await (opened as MongoUnderTest).whileInjecting(late, isHeldUp, { skip: 2 });
    const lapsed = { sessions: [session.id], until: new Date(0) };
    await killed.collection('instances').insertOne(lapsed);
    expect(await add(10_000)).toMatchObject({ ok: true });
    expect(await store.find(SHELVES, { _id: shelf._id })).toMatchObject({ items: 1, weight: 0 });
    await session.endSession();
    await killed.leave();
    expect(await store.commit([insert(SHELVES, aShelf())])).toMatchObject({ ok: true });
  });
});
