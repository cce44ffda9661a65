import { setImmediate } from 'node:timers/promises';
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

  it('runs one read of an account at a time, two of all, each account before one has a second', async () => {
    const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'd1'];
    const reads = names.map(read);
    await setImmediate();
    expect(begun).toEqual(['a1', 'b1']);
    expect(turns.size).toBe(5);
    for (let next = 0; next < reads.length; next++) {
      await end(begun[next]!);
      expect(begun).toHaveLength(Math.min(next + 3, reads.length));
    }
    expect(begun).toEqual(['a1', 'b1', 'c1', 'd1', 'a2', 'b2', 'a3']);
    expect(await Promise.all(reads)).toEqual(names);
    expect(turns.size).toBe(0);
    // No account stays in memory.
    expect(turns.accounts.size).toBe(0);
  });
});
