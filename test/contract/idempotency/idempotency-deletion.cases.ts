import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { anIdempotencyRecord } from '../../builders/idempotency-record.builder.js';
import { aClient } from '../../builders/client.builder.js';
import { at } from '../../builders/time.js';
import { type IdempotentWrite, IDEMPOTENT_WRITES } from '../idempotent-writes.js';
import { engines, onSqlite } from '../engines.js';
import type { StoreUnderTest } from '../store-under-test.js';
import { Stored } from '../stored.js';
import { useStore } from '../use-store.js';

const DAY = 24 * 60;
/** The number of expired records that one request deletes at most. */
const AT_ONCE = 100;

/** A record that is valid for a day from this time. */
const recordAt = (minutes: number) =>
  anIdempotencyRecord({ createdAt: at(minutes), expiresAt: at(minutes + DAY) });

const storeRecords = (store: StoreUnderTest, times: number, minutes: number) =>
  Promise.all(
    Array.from({ length: times }, async () => {
      const record = recordAt(minutes);
      await store.clients.create(aClient(), record);
      return record;
    }),
  );

async function passwordChange(store: StoreUnderTest): Promise<IdempotentWrite> {
  const user = await new Stored(store).user();
  const hashes = { currentHash: user.passwordHash, newHash: 'new hash' };
  const change = { user: user._id, session: newObjectId(), ...hashes, at: at(3) };
  return (idempotency) => store.users.changePassword(change, idempotency);
}

/** One write of each port that takes an idempotency record. */
const WRITES = [
  ...IDEMPOTENT_WRITES.filter(({ name }) => /^(clients|projects)\.create|revoke/.test(name)),
  { name: 'users.changePassword', prepare: passwordChange },
];

describe.each(onSqlite)('the deletion of expired idempotency records on $name', ({ open }) => {
  const { store } = useStore(open, { forEachTest: true });

  const count = () => store.count('idempotency_records');

  it(`deletes at most ${AT_ONCE} in a request, whichever port it uses`, async () => {
    await storeRecords(store, WRITES.length * AT_ONCE + 1, 0);
    for (const { name, prepare } of WRITES) {
      const write = await prepare(store);
      const before = await count();
      await write(recordAt(DAY));
      expect({ name, change: (await count()) - before }).toEqual({ name, change: 1 - AT_ONCE });
    }
    expect(await count()).toBe(WRITES.length + 1);
  });

  it('deletes expired records alone', async () => {
    await storeRecords(store, AT_ONCE / 2, 0);
    const living = await storeRecords(store, AT_ONCE, 1);
    await storeRecords(store, 1, DAY);
    expect(await count()).toBe(AT_ONCE + 1);
    for (const { _id } of living) {
      expect(await store.idempotency.find(_id, at(DAY))).not.toBeNull();
    }
  });
});

describe.each(engines)('an expired idempotency record on $name', ({ open }) => {
  const { store } = useStore(open);

  it('is replaced where its key is used again among other writes', async () => {
    const [first] = await storeRecords(store, 1, 0);
    const again = { ...first!, createdAt: at(DAY), expiresAt: at(2 * DAY) };
    const others = Array.from({ length: 20 }, () => recordAt(DAY));
    await Promise.all(
      [again, ...others].map((idempotency) => store.clients.create(aClient(), idempotency)),
    );
    expect(await store.idempotency.find(again._id, at(DAY))).not.toBeNull();
  });
});
