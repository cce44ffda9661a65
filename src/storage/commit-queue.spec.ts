import { setImmediate } from 'node:timers/promises';
import { inRequest } from '../../test/contract/in-request.js';
import { CommitQueue, type PendingCommit } from './commit-queue.js';

const MADE = { ok: true, affected: 0 } as const;

describe('CommitQueue', () => {
  /** The batches so far, each with the callback that completes it. */
  let batches: {
    readonly names: string[];
    readonly end: (again?: readonly string[]) => Promise<void>;
  }[];
  let queue: CommitQueue<string>;
  beforeEach(() => {
    batches = [];
    queue = new CommitQueue(
      (batch) =>
        new Promise((resolve) => {
          const end = async (again: readonly string[] = []) => {
            const isAgain = ({ commit }: PendingCommit<string>) => again.includes(commit);
            for (const each of batch) if (!isAgain(each)) each.resolve(MADE);
            resolve(batch.filter(isAgain));
            await nextBatch();
          };
          batches.push({ names: batch.map(({ commit }) => commit), end });
        }),
    );
  });

  const add = (name: string, milliseconds = 60_000, records = 1) =>
    queue.add(name, performance.now() + milliseconds, records);
  /** The queue schedules a batch for the next iteration once the previous one has ended. */
  const nextBatch = async () => {
    await setImmediate();
    await setImmediate();
  };
  const taken = () => batches.map(({ names }) => names);

  it('commits batches of at most 64 one at a time, in order of arrival, with retries first', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `${index}`);
    const commits = names.map((name) => add(name));
    await nextBatch();
    commits.push(add('later'));
    await nextBatch();
    expect(taken()).toEqual([names.slice(0, 64)]);
    expect(queue.size).toBe(37);
    await batches[0]!.end(['7', '9']);
    expect(taken()[1]).toEqual(['7', '9', ...names.slice(64), 'later']);
    await batches[1]!.end();
    expect(await Promise.all(commits)).toEqual(Array(101).fill(MADE));
  });

  it('changes at most 1,000 records per batch, unless one commit alone changes more', async () => {
    const sizes = { huge: 2_000, large: 600, medium: 400, small: 1 };
    const commits = Object.entries(sizes).map(([name, records]) => add(name, 60_000, records));
    for (const [index] of commits.slice(1).entries()) {
      await nextBatch();
      await batches[index]!.end();
    }
    await Promise.all(commits);
    expect(taken()).toEqual([['huge'], ['large', 'medium'], ['small']]);
  });

  it('takes one commit of an account, then those of the others, before its many records', async () => {
    const by = (address: string, name: string, records: number) =>
      inRequest(60_000, () => add(name, 60_000, records), { address });
    const large = ['a', 'b', 'c'].map((name) => by('192.0.2.1', name, 900));
    await nextBatch();
    const commits = [...large, by('192.0.2.2', 'neighbour', 1), by('192.0.2.3', 'other', 1)];
    for (const index of [0, 1, 2]) await batches[index]!.end();
    await Promise.all(commits);
    expect(taken()).toEqual([['a'], ['b', 'neighbour', 'other'], ['c']]);
  });

  it('rejects a commit still waiting at its deadline, and never applies it', async () => {
    const late = expect(add('late', 0)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    const other = add('other');
    await nextBatch();
    await late;
    expect(taken()).toEqual([['other']]);
    await batches[0]!.end();
    expect(await other).toEqual(MADE);
  });
});
