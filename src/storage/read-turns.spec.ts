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

  it('runs as many reads at the same time as its concurrency, and returns their results', async () => {
    const reads = ['a', 'b', 'c'].map(read);
    expect(begun).toEqual(['a', 'b']);
    expect(turns.size).toBe(1);
    await end('b');
    expect(begun).toEqual(['a', 'b', 'c']);
    await endAll();
    expect(await Promise.all(reads)).toEqual(['a', 'b', 'c']);
    expect(turns.size).toBe(0);
  });

  it('runs one read of an account at a time, in order of arrival', async () => {
    const reads = ['a1', 'a2', 'a3', 'b1'].map(read);
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1']);
    await end('a1');
    await end('a2');
    expect(begun).toEqual(['a1', 'b1', 'a2', 'a3']);
    await endAll();
    await Promise.all(reads);
  });

  it('gives each account its turn before one has a second', async () => {
    const reads = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'd1'].map(read);
    for (let next = 0; next < reads.length; next++) await end(begun[next]!);
    expect(begun).toEqual(['a1', 'b1', 'c1', 'd1', 'a2', 'b2', 'a3']);
    await Promise.all(reads);
  });

  it('goes on after a read that failed', async () => {
    const failing = turns.run('a', () => Promise.reject(new Error('of its own')));
    const next = read('a');
    await expect(failing).rejects.toThrow('of its own');
    await endAll();
    expect(await next).toBe('a');
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
    const states: string[] = [];
    const whileWaiting = async <T>(wait: () => Promise<T>) => {
      states.push('waiting');
      const result = await wait();
      states.push('reading');
      return result;
    };
    const context = { whileWaiting } as RequestContext;
    const first = requestContext.run(context, () => read('a1'));
    expect(states).toEqual([]);
    const second = requestContext.run(context, () => read('a2'));
    expect(states).toEqual(['waiting']);
    await end('a1');
    expect(states).toEqual(['waiting', 'reading']);
    await end('a2');
    await Promise.all([first, second]);
  });
});
