import { aClient, at } from '../../test/builders.js';
import { inRequest } from '../../test/contract/in-request.js';
import { useServices } from '../../test/services.js';
import { EVENTS, record } from '../events/event.js';
import { IDEMPOTENCY_RECORDS } from '../shared/idempotency/idempotency-record.js';
import { insert } from '../storage/changes.js';
import { NOT_STORED } from '../storage/collection.js';
import { CLIENTS } from './client.js';
import { ClientPersonalData } from './personal-data.service.js';

describe('The erasure of a client', () => {
  const { store, the, put, add, addAccount } = useServices();

  it('of any size ends, because a repeated request continues where the last one stopped', async () => {
    const { account: owner } = await addAccount();
    const client = await add(CLIENTS, aClient({ owner, name: 'Quorum' }));
    const subject = { accountId: owner, ...client };
    for (let i = 0; i < 200; i += 1) {
      const fields = { _id: `${i}`, owner, requestHash: '', result: { client }, expiresAt: at(i) };
      await put(
        record('client.updated', subject, at(i)),
        insert(IDEMPOTENCY_RECORDS, { ...fields, version: NOT_STORED }),
      );
    }
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const list = store.list.bind(store);
    jest.spyOn(store, 'list').mockImplementation((...read) => {
      now += 300;
      return list(...read);
    });
    const erase = () => the(ClientPersonalData).erase(client._id, owner);
    let outcomes: string[] = [];
    while (outcomes.at(-1) !== 'erased' && outcomes.length < 20) {
      const outcome = inRequest(2_800, erase).then(
        () => 'erased',
        (error: { code: string }) => error.code,
      );
      outcomes = [...outcomes, await outcome];
    }
    expect(outcomes.slice(-2)).toEqual(['OVERLOADED', 'erased']);
    const left = [...store.all(EVENTS), ...store.all(IDEMPOTENCY_RECORDS)];
    expect(JSON.stringify(left)).not.toContain('Quorum');
  });
});
