import { IdempotencyKeyTaken } from '../../../src/shared/idempotency/idempotency-record.js';
import { type AccountId, newAccountId } from '../../../src/shared/ids/account-id.js';
import { anIdempotencyRecord } from '../../builders/idempotency-record.builder.js';
import { aClient } from '../../builders/client.builder.js';
import { at } from '../../builders/time.js';
import { NO_QUOTAS } from '../../no-limits.js';
import { timesInScope } from '../../scope.js';
import { IDEMPOTENT_WRITES } from '../idempotent-writes.js';
import { engines } from '../engines.js';
import { useStore } from '../use-store.js';

const DAY = 24 * 60;
const ROOM = 7;
const AT_ONCE = timesInScope(50);
const REACHED = { code: 'IDEMPOTENCY_QUOTA_REACHED' };

describe.each(engines)('the quota of idempotency records on $name', ({ open }) => {
  const { store, stored } = useStore(open);
  let owner: AccountId;
  beforeEach(() => (owner = newAccountId()));
  afterEach(() => void Object.assign(store.quotas, NO_QUOTAS));

  const recordAt = (minutes: number, fields: { owner?: AccountId } = {}) =>
    anIdempotencyRecord({ owner, createdAt: at(minutes), expiresAt: at(minutes + DAY), ...fields });
  /** Writes with an idempotency key at this time, and returns the record. */
  const writeAt = async (minutes: number, fields?: { owner?: AccountId }) => {
    const idempotency = recordAt(minutes, fields);
    await store.clients.create(aClient({ owner }), idempotency);
    return idempotency;
  };

  it.each(IDEMPOTENT_WRITES)(
    `allows ${ROOM} of ${AT_ONCE} writes at the same time: $name`,
    async ({ prepare }) => {
      const writes = await Promise.all(Array.from({ length: AT_ONCE }, () => prepare(store)));
      store.quotas.idempotencyRecords = ROOM;
      const before = await store.count('idempotency_records');
      const outcomes = await Promise.allSettled(writes.map((write) => write(recordAt(0))));

      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(ROOM);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(REACHED);
      }
      expect(await store.count('idempotency_records')).toBe(before + ROOM);
    },
  );

  it('leaves nothing of a rejected write, which succeeds without an idempotency key', async () => {
    store.quotas.idempotencyRecords = 1;
    await writeAt(0);
    const idempotency = recordAt(1);
    const client = aClient({ owner });
    await expect(store.clients.create(client, idempotency)).rejects.toMatchObject(REACHED);
    expect(await stored.totalsOf(owner)).toMatchObject({ clientsCount: 1 });
    expect(await store.idempotency.find(idempotency._id, at(1))).toBeNull();
    expect(await store.clients.create(client)).toStrictEqual(client);
  });

  it('does not affect earlier records', async () => {
    store.quotas.idempotencyRecords = 2;
    const records = [await writeAt(0), await writeAt(1)];
    await expect(writeAt(2)).rejects.toMatchObject(REACHED);
    for (const idempotency of records) {
      expect(await store.idempotency.find(idempotency._id, at(3))).toMatchObject({ result: {} });
      const again = store.clients.create(aClient({ owner }), { ...idempotency, createdAt: at(3) });
      await expect(again).rejects.toBeInstanceOf(IdempotencyKeyTaken);
    }
  });

  it('counts a record until it expires', async () => {
    store.quotas.idempotencyRecords = 3;
    for (const minutes of [0, 10, 20]) await writeAt(minutes);
    await expect(writeAt(DAY - 0.001)).rejects.toMatchObject(REACHED);
    await writeAt(DAY);
    await expect(writeAt(DAY + 10 - 0.001)).rejects.toMatchObject(REACHED);
    await writeAt(DAY + 10);
    await expect(writeAt(DAY + 11)).rejects.toMatchObject(REACHED);
  });

  it('counts from zero once all have expired, whether they are deleted or not', async () => {
    store.quotas.idempotencyRecords = 3;
    for (const minutes of [0, 1, 2]) await writeAt(minutes);
    for (const minutes of [3 * DAY, 3 * DAY, 3 * DAY]) await writeAt(minutes);
    await expect(writeAt(3 * DAY)).rejects.toMatchObject(REACHED);
    // On SQLite, another account's request deletes them.
    await writeAt(6 * DAY, { owner: newAccountId() });
    for (const minutes of [6 * DAY, 6 * DAY, 6 * DAY]) await writeAt(minutes);
    await expect(writeAt(6 * DAY)).rejects.toMatchObject(REACHED);
  });

  it('counts a key that is used again after its record has expired', async () => {
    store.quotas.idempotencyRecords = 2;
    const idempotency = await writeAt(0);
    await writeAt(10);
    const again = { ...idempotency, createdAt: at(DAY), expiresAt: at(2 * DAY) };
    await store.clients.create(aClient({ owner }), again);
    await expect(writeAt(DAY)).rejects.toMatchObject(REACHED);
    await writeAt(DAY + 10);
  });

  it('counts no write that is rejected for another reason', async () => {
    store.quotas.idempotencyRecords = 2;
    const { email } = aClient();
    await store.clients.create(aClient({ email }));
    for (let index = 0; index < 5; index++) {
      expect(await store.clients.create(aClient({ owner, email }), recordAt(0))).toBe(
        'email_taken',
      );
    }
    await writeAt(0);
    await writeAt(0);
  });

  it('applies as soon as it is lowered or raised', async () => {
    store.quotas.idempotencyRecords = 4;
    for (const minutes of [0, 1, 2, 3]) await writeAt(minutes);
    store.quotas.idempotencyRecords = 2;
    await expect(writeAt(DAY + 1.5)).rejects.toMatchObject(REACHED);
    await writeAt(DAY + 2);
    store.quotas.idempotencyRecords = 3;
    await writeAt(DAY + 2);
    await expect(writeAt(DAY + 2)).rejects.toMatchObject(REACHED);
  });

  it("counts no other account's records", async () => {
    store.quotas.idempotencyRecords = 1;
    await writeAt(0);
    await writeAt(0, { owner: newAccountId() });
  });
});
