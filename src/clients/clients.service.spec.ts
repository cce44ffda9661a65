import { anIdempotencyRecord } from '../../test/builders/idempotency-record.builder.js';
import { LicenseServices } from '../../test/license-services.js';
import { NO_QUOTAS } from '../../test/no-limits.js';
import type { Config } from '../shared/config/config.js';
import { newAccountId } from '../shared/ids/account-id.js';
import { AccountQuotas, TOTALS } from '../shared/quotas/account-totals.js';
import { MemoryRateLimitWindows } from '../rate-limits/memory-rate-limit-windows.js';
import { MemoryWindows } from '../rate-limits/memory-windows.js';
import { increment } from '../storage/changes.js';
import { CLIENTS } from './client.js';
import { ClientsService } from './clients.service.js';
import { EmailConflictLimiter } from '../rate-limits/email-conflict-limiter.js';
import { searchForm } from '../shared/fields/search-form.js';

const ACME = { name: 'Acme', email: 'office@acme.test' };
const BETA = { name: 'Beta', email: 'office@beta.test' };
const [ADA, EVE] = [newAccountId(), newAccountId()];

/** The service on a store in memory, with two accounts. */
async function setUp({ quota = 0, conflicts = 0 } = {}) {
  const world = new LicenseServices();
  const { store, decisions, clock } = world;
  const limits = { emailConflicts: { requests: conflicts, seconds: 3600 } };
  const config = { quotas: { ...NO_QUOTAS, clients: quota }, limits } as Config;
  const quotas = new AccountQuotas(config, store);
  const windows = new MemoryRateLimitWindows(new MemoryWindows(clock));
  const limiter = new EmailConflictLimiter(config, windows, clock);
  for (const account of [ADA, EVE]) await world.register(0, account);
  const totalsOf = async (_id = ADA) => (await store.find(TOTALS, { _id }))?.clientsCount;
  const clients = new ClientsService(store, decisions, quotas, limiter, clock);
  return { world, store, clock, clients, totalsOf };
}

describe('creating a client', () => {
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
  it('counts a conflict towards the limit of the account, and accepts its own address', async () => {
    const { clients } = await setUp({ conflicts: 1 });
    const { _id } = await clients.create(ADA, ACME);
    await clients.create(EVE, BETA);
    await clients.update(_id, ADA, { email: ACME.email });
    const update = () => clients.update(_id, ADA, { email: BETA.email });
    await expect(update()).rejects.toMatchObject({ code: 'CLIENT_EMAIL_TAKEN' });
    await expect(update()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
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
  it('happens once for 5 concurrent requests, counts it no more, and frees its address', async () => {
    const { clients, totalsOf } = await setUp();
    const { _id } = await clients.create(ADA, ACME);
    const deleted = await Promise.allSettled(
      Array.from({ length: 5 }, () => clients.delete(_id, ADA)),
    );
    expect(deleted.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
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
});

describe('searchForm', () => {
  it.each([
    ['ACME Ltd', 'acme ltd'],
    ['Ａｃｍｅ', 'acme'],
    ['Société', 'socie\u0301te\u0301'.normalize('NFC')],
    ['STRAẞE', 'straße'],
    ['İstanbul', 'i\u0307stanbul'],
    ['①℡', '1tel'],
    ['100%_.*([\\$', '100%_.*([\\$'],
  ])('of %j is %j', (text, form) => {
    expect(searchForm(text)).toBe(form);
  });

  it('is its own search form, for every character', () => {
    const changed: string[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const form = searchForm(String.fromCodePoint(point));
      if (searchForm(form) !== form) changed.push(`${point.toString(16)}: ${form}`);
    }
    expect(changed).toEqual([]);
  });

  it.each(['ΟΔΟΣΑ', 'ΣΑΣ ΣΑΣ', 'İSTANBUL', 'ﬀﬁ', '🚀🚁'])(
    'of every prefix of %s is a prefix of the whole form',
    (name) => {
      const characters = [...name];
      const parts = characters.map((_, index) => characters.slice(0, index + 1).join(''));
      const whole = searchForm(name);
      expect(parts.filter((part) => !whole.startsWith(searchForm(part)))).toEqual([]);
    },
  );
});
