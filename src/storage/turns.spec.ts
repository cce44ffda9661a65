import { setImmediate } from 'node:timers/promises';
import { inRequest } from '../../test/contract/in-request.js';
import { ACCOUNT as account, type Item, ITEMS, SHELF } from '../../test/contract/records.js';
import type { Principal } from '../auth/principal.js';
import type { RequestContext } from '../shared/request-context.js';
import { type Filter, readFilter } from './filter.js';
import { turnOfRead, AccountTurns, Turns } from './turns.js';

describe('Turns', () => {
  const turns = new Turns();

  it('run work with the same key in order of arrival, and other keys in parallel', async () => {
    const log: string[] = [];
    const write = (name: string) =>
      turns.run('key', async () => {
        log.push(`${name} begins`);
        await setImmediate();
        log.push(`${name} ends`);
      });
    const names = Array.from({ length: 20 }, (_, index) => `write ${index}`);
    const later = names.map((name) => write(name).then(() => write(`after ${name}`)));
    expect(turns.of('key')).toEqual({ running: 1, waiting: 19 });
    expect(await turns.run('another', async () => log.length)).toBeLessThan(3);
    await Promise.all(later);
    const all = [...names, ...names.map((name) => `after ${name}`)];
    expect(log).toStrictEqual(all.flatMap((name) => [`${name} begins`, `${name} ends`]));
    expect(turns.size).toBe(0);
  });

  it('continue after a failure', async () => {
    const failing = turns.run('key', () => Promise.reject(new Error('failed')));
    const next = turns.run('key', async () => 'next');
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('next');
    expect(turns.size).toBe(0);
  });
});

it('AccountTurns runs one read per account and two in total, serving each account before a second read of one', async () => {
  const turns = new AccountTurns(2);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'd1'];
  // Each read runs until the test ends it. The first letter is the account.
  const reads = names.map((name) =>
    turns.run(name.slice(0, 1), async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    }),
  );
  await setImmediate();
  expect(begun).toEqual(['a1', 'b1']);
  expect(turns.waiting).toBe(5);
  for (let next = 0; next < reads.length; next++) {
    ends.get(begun[next]!)!();
    await setImmediate();
    expect(begun).toHaveLength(Math.min(next + 3, reads.length));
  }
  expect(begun).toEqual(['a1', 'b1', 'c1', 'd1', 'a2', 'b2', 'a3']);
  expect(await Promise.all(reads)).toEqual(names);
  expect(turns.waiting).toBe(0);
});

it('AccountTurns leaves a turn free of accounts whose last read was slow', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const turns = new AccountTurns(2);
  let begun: string[] = [];
  let held = Promise.resolve();
  const read = (name: string, milliseconds: number, fails = false) =>
    turns.run(name.slice(0, 1), async () => {
      begun.push(name);
      await held;
      now += milliseconds;
      if (fails) throw new Error('deadline');
    });
  await Promise.all([read('a1', 501), read('b1', 501)]);
  await expect(read('a2', 10, true)).rejects.toThrow('deadline');
  const beginBeforeAnyEnds = async (...names: string[]) => {
    let resolve: () => void;
    held = new Promise((done) => (resolve = done));
    begun = [];
    const reads = names.map((name) => read(name, 0));
    await setImmediate();
    const first = begun.join(' ');
    resolve!();
    await Promise.all(reads);
    return first;
  };
  expect(await beginBeforeAnyEnds('a3', 'b2', 'c1')).toBe('c1 a3');
  expect(await beginBeforeAnyEnds('a4', 'b3', 'c2')).toBe('a4 b3');
});

describe('A read', () => {
  const readBy = (filter: Filter<Item>) => turnOfRead(ITEMS, readFilter(filter));
  const requestReadsBy = (filter: Filter<Item>, fields: Partial<RequestContext> = {}) =>
    inRequest(1_000, async () => readBy(filter), { address: '192.0.2.1', ...fields });

  it('is attributed to the account in its filter, otherwise to its caller', async () => {
    const principal = { accountId: 'caller' } as unknown as Principal;
    expect(await requestReadsBy({ shelf: SHELF, account }, { principal })).toBe(account);
    expect(await requestReadsBy({ shelf: SHELF }, { principal })).toBe('caller');
    expect(await requestReadsBy({ shelf: SHELF })).toBe('192.0.2.1');
  });

  it('in a background job does not wait for the requests of an account', () => {
    expect(readBy({ shelf: SHELF, account })).toBe('background');
  });
});
