import { setImmediate } from 'node:timers/promises';
import { type RequestContext, requestContext } from '../shared/request-context.js';
import { ReadTurns } from './read-turns.js';

describe('ReadTurns', () => {
  let turns: ReadTurns;
  let begun: string[];
  let ends: Map<string, () => void>;

  beforeEach(() => {
    turns = new ReadTurns(2);
    begun = [];
    ends = new Map();
  });

  /** Reads until it is ended; the first letter names the account. */
  const read = (name: string) =>
    turns.run(name.slice(0, 1), async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  const end = async (name: string) => {
    ends.get(name)!();
    await setImmediate();
  };
  const endAll = async () => {
    for (const name of begun) await end(name);
  };

  it('runs one read of an account at a time, two of all, each account before one has a second', async () => {
    const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'd1'];
    const reads = names.map(read);
    expect(begun).toEqual(['a1', 'b1']);
    expect(turns.size).toBe(5);
    for (let next = 0; next < reads.length; next++) {
      await end(begun[next]!);
      expect(begun).toHaveLength(Math.min(next + 3, reads.length));
    }
    expect(begun).toEqual(['a1', 'b1', 'c1', 'd1', 'a2', 'b2', 'a3']);
    expect(await Promise.all(reads)).toEqual(names);
    expect(turns.size).toBe(0);
  });

  it('rejects reads beyond those that may wait of an account, and of all', async () => {
    const overloaded = { code: 'OVERLOADED', rejectedBy: 'store_queue' };
    const reads = Array.from({ length: 65 }, () => read('a'));
    await expect(read('a')).rejects.toMatchObject(overloaded);
    expect(turns.size).toBe(64);
    for (const account of 'bcdefghijklmnop') {
      reads.push(...Array.from({ length: 64 + Number(account === 'b') }, () => read(account)));
    }
    expect(turns.size).toBe(1_024);
    await expect(read('q')).rejects.toMatchObject(overloaded);
    while (turns.size > 0) await endAll();
    await endAll();
    await Promise.all(reads);
  });

  it('waits without occupying the capacity of the request, which it does while it reads', async () => {
    const whileWaiting = async <T>(wait: () => Promise<T>) => {
      begun.push('waiting');
      const result = await wait();
      begun.push('waited');
      return result;
    };
    const context = { whileWaiting } as RequestContext;
    const reads = ['a1', 'a2'].map((name) => requestContext.run(context, () => read(name)));
    expect(begun).toEqual(['a1', 'waiting']);
    await end('a1');
    expect(begun).toEqual(['a1', 'waiting', 'waited', 'a2']);
    await end('a2');
    await Promise.all(reads);
  });
});
