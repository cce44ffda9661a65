import { setTimeout } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { IdempotencyKeyTaken } from '../../../src/shared/idempotency/idempotency-record.js';
import { aClient } from '../../builders/client.builder.js';
import { anIdempotencyRecord } from '../../builders/idempotency-record.builder.js';
import { at } from '../../builders/time.js';
import { describeOnMongo } from '../../engines.js';
import { MongoUnderTest } from '../mongo.engine.js';
import { useOwnMongod } from '../use-own-mongod.js';

describeOnMongo('a write that no majority has yet', () => {
  const { store } = useOwnMongod((serverUri) => {
    const uri = new URL(serverUri);
    uri.searchParams.set('monitorCommands', 'true');
    return MongoUnderTest.open(uri.href);
  });

  /** While it is paused, a write is on the primary, and neither acknowledged nor found by other reads. */
  const pauseJournal = (mode: 'alwaysOn' | 'off') =>
    store.connection
      .getClient()
      .db('admin')
      .command({ configureFailPoint: 'pauseJournalFlusherThread', mode });

  it('is found by a repeat of it at another instance, which waits for the majority', async () => {
    const other = await store.join();
    let isCommitting = false;
    const note = ({ commandName }: mongo.CommandStartedEvent) => {
      isCommitting ||= commandName === 'commitTransaction';
    };
    other.connection.getClient().on('commandStarted', note);
    const client = aClient();
    const idempotency = anIdempotencyRecord({ owner: client.owner });
    const onPrimary = { readConcern: { level: 'local' } } as const;
    const records = store.collection('idempotency_records');
    await pauseJournal('alwaysOn');
    try {
      const first = store.clients.create(client, idempotency);
      while (!(await records.findOne({}, onPrimary))) await setTimeout(1);
      let isRejected = false;
      const found = expect(other.clients.create(aClient({ owner: client.owner }), idempotency))
        .rejects.toThrow(IdempotencyKeyTaken)
        .then(() => (isRejected = true))
        .then(() => other.idempotency.find(idempotency._id, at(1)));
      while (!isCommitting && !isRejected) await setTimeout(1);
      expect(isRejected).toBe(false);
      await pauseJournal('off');
      expect(await found).toMatchObject({ result: { email: client.email } });
      await first;
    } finally {
      await pauseJournal('off');
      await other.leave();
    }
  });
});
