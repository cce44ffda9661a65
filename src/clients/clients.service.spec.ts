import { anIdempotencyRecord } from '../../test/builders/idempotency-record.builder.js';
import { LicenseServices } from '../../test/license-services.js';
import { NO_QUOTAS } from '../../test/no-limits.js';
import type { Config } from '../shared/config/config.js';
import { newAccountId } from '../shared/ids/account-id.js';
import { newObjectId } from '../shared/ids/object-id.js';
import { AccountQuotas, TOTALS } from '../shared/quotas/account-totals.js';
import { MemoryRateLimitWindows } from '../shared/rate-limit/memory-rate-limit-windows.js';
import { increment } from '../storage/changes.js';
import { CLIENTS } from './client.js';
import { ClientsService } from './clients.service.js';
import { EmailConflictLimiter } from './email-conflict-limiter.js';

const ACME = { name: 'Acme', email: 'office@acme.test' };
const BETA = { name: 'Beta', email: 'office@beta.test' };
const FIRST_PAGE = { limit: 20, after: undefined };
const TAKEN = { code: 'CLIENT_EMAIL_TAKEN', fields: { field: 'email' } };
const NOT_FOUND = { code: 'CLIENT_NOT_FOUND' };
const [ADA, EVE] = [newAccountId(), newAccountId()];

/** The service on a store in memory, with two accounts. */
async function setUp({ quota = 0, conflicts = 0 } = {}) {
  const world = new LicenseServices();
  const { store, decisions, clock } = world;
  const limits = { emailConflicts: { requests: conflicts, seconds: 3600 } };
  const config = { quotas: { ...NO_QUOTAS, clients: quota }, limits } as Config;
  const quotas = new AccountQuotas(config, store);
  const limiter = new EmailConflictLimiter(config, new MemoryRateLimitWindows(), clock);
  for (const account of [ADA, EVE]) await world.register(0, account);
  const totalsOf = async (_id = ADA) => (await store.find(TOTALS, { _id }))?.clientsCount;
  const clients = new ClientsService(store, decisions, quotas, limiter, clock);
  return { world, store, clock, clients, totalsOf };
}

describe('creating a client', () => {
  it('stores and counts it', async () => {
    const { clients, totalsOf } = await setUp();
    const { _id } = await clients.create(ADA, ACME);
    expect(await clients.get(_id, ADA)).toMatchObject({ ...ACME, owner: ADA, projectsCount: 0 });
    expect([await totalsOf(), await totalsOf(EVE)]).toEqual([1, 0]);
  });

  it('is rejected where a client of any account has the address', async () => {
    const { clients, store, totalsOf } = await setUp();
    await clients.create(ADA, ACME);
    for (const account of [ADA, EVE]) {
      await expect(clients.create(account, { ...BETA, ...ACME })).rejects.toMatchObject(TAKEN);
    }
    expect(store.all(CLIENTS)).toHaveLength(1);
    expect([await totalsOf(), await totalsOf(EVE)]).toEqual([1, 0]);
  });

  it('gives an address to one of 10 concurrent requests', async () => {
    const { clients, totalsOf } = await setUp();
    const created = await Promise.allSettled(
      Array.from({ length: 10 }, () => clients.create(ADA, ACME)),
    );
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await totalsOf()).toBe(1);
  });

  it('is rejected at the quota, also where another request was faster', async () => {
    const { world, clients, totalsOf } = await setUp({ quota: 1 });
    const reached = { code: 'CLIENT_QUOTA_REACHED' };
    world.beforeNextCommit(() => clients.create(ADA, ACME));
    await expect(clients.create(ADA, BETA)).rejects.toMatchObject(reached);
    await expect(clients.create(ADA, BETA)).rejects.toMatchObject(reached);
    expect(await totalsOf()).toBe(1);
    await clients.create(EVE, BETA);
  });

  it('tells a deleted account nothing of an address', async () => {
    const { clients } = await setUp();
    await clients.create(ADA, ACME);
    for (const fields of [ACME, BETA]) {
      const created = clients.create(newAccountId(), fields);
      await expect(created).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    }
  });

  it('tells nothing of an address beyond the limit of conflicts', async () => {
    const { clients, clock } = await setUp({ conflicts: 2 });
    const idempotency = anIdempotencyRecord({ createdAt: clock.now(), owner: ADA });
    const first = await clients.create(ADA, ACME, idempotency);
    for (let i = 0; i < 2; i++) {
      await expect(clients.create(ADA, ACME)).rejects.toMatchObject(TAKEN);
    }
    for (const fields of [ACME, BETA]) {
      const created = clients.create(ADA, fields);
      await expect(created).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    }
    expect(await clients.create(ADA, ACME, idempotency)).toEqual(first);
    clock.advance({ seconds: 3600 });
    await clients.create(ADA, BETA);
  });

  it('happens once for an idempotency key, though the address is taken by then', async () => {
    const { world, clients, totalsOf, clock } = await setUp({ conflicts: 1 });
    const idempotency = anIdempotencyRecord({ createdAt: clock.now(), owner: ADA });
    const create = () => clients.create(ADA, ACME, idempotency);
    world.beforeNextCommit(create);
    expect(await create()).toEqual(await create());
    expect(await totalsOf()).toBe(1);
  });
});

describe('changing a client', () => {
  it('sets the given fields, and the time of the change', async () => {
    const { clients, clock } = await setUp();
    const client = await clients.create(ADA, ACME);
    clock.advance({ seconds: 1 });
    const updated = await clients.update(client._id, ADA, { name: 'Beta', email: undefined });
    expect(updated).toMatchObject({ ...ACME, name: 'Beta', updatedAt: clock.now() });
    expect(await clients.get(client._id, ADA)).toMatchObject({ name: 'Beta', searchName: 'beta' });
  });

  it('changes nothing where no field is given', async () => {
    const { clients, clock } = await setUp();
    const { _id } = await clients.create(ADA, ACME);
    const before = await clients.get(_id, ADA);
    clock.advance({ seconds: 1 });
    expect(await clients.update(_id, ADA, { name: undefined })).toEqual(before);
    expect(await clients.get(_id, ADA)).toEqual(before);
  });

  it('is rejected where another client has the address, and accepts its own', async () => {
    const { clients } = await setUp({ conflicts: 1 });
    const { _id } = await clients.create(ADA, ACME);
    await clients.create(EVE, BETA);
    await clients.update(_id, ADA, { email: ACME.email });
    const update = () => clients.update(_id, ADA, { email: BETA.email });
    await expect(update()).rejects.toMatchObject(TAKEN);
    await expect(update()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    expect(await clients.update(_id, ADA, { name: 'Acme Ltd' })).toMatchObject({
      email: ACME.email,
    });
  });

  it.each([ACME, BETA])(
    'to %j keeps what another request has changed meanwhile',
    async (fields) => {
      const { world, clients } = await setUp({ conflicts: 1 });
      const { _id } = await clients.create(ADA, ACME);
      world.beforeNextCommit(() => world.put(increment(CLIENTS, _id, { projectsCount: 1 })));
      await clients.update(_id, ADA, fields);
      expect(await clients.get(_id, ADA)).toMatchObject({ ...fields, projectsCount: 1 });
    },
  );
});

describe('deleting a client', () => {
  it('removes it, and counts it no more', async () => {
    const { clients, totalsOf } = await setUp();
    const { _id } = await clients.create(ADA, ACME);
    await clients.delete(_id, ADA);
    await expect(clients.get(_id, ADA)).rejects.toMatchObject(NOT_FOUND);
    expect(await totalsOf()).toBe(0);
    await clients.create(EVE, ACME);
  });

  it('is rejected while it has a project, also one that is added meanwhile', async () => {
    const { world, clients, totalsOf } = await setUp();
    const { _id } = await clients.create(ADA, ACME);
    world.beforeNextCommit(() => world.put(increment(CLIENTS, _id, { projectsCount: 1 })));
    for (let i = 0; i < 2; i++) {
      const deleted = clients.delete(_id, ADA);
      await expect(deleted).rejects.toMatchObject({ code: 'CLIENT_HAS_PROJECTS' });
    }
    expect(await totalsOf()).toBe(1);
  });

  it('happens once for 5 concurrent requests', async () => {
    const { clients, totalsOf } = await setUp();
    const { _id } = await clients.create(ADA, ACME);
    const deleted = await Promise.allSettled(
      Array.from({ length: 5 }, () => clients.delete(_id, ADA)),
    );
    expect(deleted.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await totalsOf()).toBe(0);
  });
});

it("another account's client is not found, and stays as it is", async () => {
  const { clients, store } = await setUp({ conflicts: 1 });
  const { _id } = await clients.create(ADA, ACME);
  const before = store.all(CLIENTS);
  for (const id of [_id, newObjectId()]) {
    await expect(clients.get(id, EVE)).rejects.toMatchObject(NOT_FOUND);
    await expect(clients.update(id, EVE, BETA)).rejects.toMatchObject(NOT_FOUND);
    await expect(clients.update(id, EVE, {})).rejects.toMatchObject(NOT_FOUND);
    await expect(clients.delete(id, EVE)).rejects.toMatchObject(NOT_FOUND);
  }
  expect(store.all(CLIENTS)).toEqual(before);
});

describe('a list of clients', () => {
  it('shows those of the account, the newest first, a page at a time', async () => {
    const { clients, clock } = await setUp();
    const ids: string[] = [];
    for (const email of ['a@a.test', 'b@a.test', 'c@a.test']) {
      ids.unshift((await clients.create(ADA, { ...ACME, email }))._id);
      clock.advance({ seconds: 1 });
    }
    await clients.create(EVE, ACME);
    const { data, next } = await clients.list(ADA, undefined, { limit: 2, after: undefined });
    const rest = await clients.list(ADA, undefined, { limit: 2, after: next! });
    expect([...data, ...rest.data].map(({ _id }) => _id)).toEqual(ids);
    expect(rest.next).toBeNull();
  });

  it.each([
    ['ac', ['Acme', '%']],
    ['office@b', ['Beta']],
    ['%', ['%']],
    ['cme', []],
  ])('shows those whose name or address begins with %j', async (search, names) => {
    const { clients, clock } = await setUp();
    for (const fields of [{ name: '%', email: 'ac@x.test' }, ACME, BETA]) {
      await clients.create(ADA, fields);
      clock.advance({ seconds: 1 });
    }
    const { data } = await clients.list(ADA, search, FIRST_PAGE);
    expect(data.map(({ name }) => name)).toEqual(names);
    expect((await clients.list(EVE, search, FIRST_PAGE)).data).toEqual([]);
  });
});
