import { CommitQueue, type Queued } from './commit-queue.js';

interface Commit extends Queued {
  readonly name: string;
}

/** A commit that uses these records; those after a `+` it shares with others that have the same condition. */
const aCommit = (name: string, ...uses: string[]): Commit => ({
  ...{ name, isAlone: false },
  uses: uses.map((use) => ({
    name: use.at(-1)!,
    share: use.length > 1 ? use.slice(0, -1) : undefined,
  })),
});
const alone = (commit: Commit): Commit => ({ ...commit, isAlone: true });

describe('CommitQueue', () => {
  let locked: Map<string, Commit>;
  let queue: CommitQueue<Commit>;
  beforeEach(() => {
    locked = new Map();
    queue = new CommitQueue(locked);
  });

  const add = (...commits: Commit[]) => commits.forEach((commit) => queue.add(commit));
  const take = () => queue.take().map(({ name }) => name);

  it.each<[string, Commit[], string[]]>([
    ['one that uses a record', [aCommit('a', '1'), aCommit('b', '1')], ['a']],
    ['all that share a record', [aCommit('a', '+1', '2'), aCommit('b', '+1', '3')], ['a', 'b']],
    [
      'none that shares a record in another way',
      [aCommit('a', '+1'), aCommit('b', '-1'), aCommit('c', '1')],
      ['a'],
    ],
    [
      'none that overtakes one over its record',
      [aCommit('a', '1'), aCommit('b', '1', '2'), aCommit('c', '2'), aCommit('d', '3')],
      ['a', 'd'],
    ],
    ['others without one that is made alone', [aCommit('a', '1'), alone(aCommit('b'))], ['a']],
    ['one that is made alone', [alone(aCommit('a')), aCommit('b', '1')], ['a']],
  ])('takes together %s', (_, commits, taken) => {
    add(...commits);
    expect(take()).toEqual(taken);
    expect(queue.size).toBe(commits.length - taken.length);
  });

  it('takes no commit whose records are used by a batch of any queue, until that is released', () => {
    const other = new CommitQueue<Commit>(locked);
    other.add(aCommit('a', '+1'));
    const batch = other.take();
    add(aCommit('b', '+1', '2'), aCommit('c', '3'));
    expect(take()).toEqual(['c']);
    other.release(batch);
    expect(take()).toEqual(['b']);
  });

  it('takes at most 64 commits, those first that were put back, and none that was removed', () => {
    const commits = Array.from({ length: 100 }, (_, index) => aCommit(`${index}`));
    add(...commits);
    queue.putBack([aCommit('first')]);
    queue.remove(commits[0]!);
    const [first, second] = [take(), take()];
    expect([first.length, second.length, queue.size]).toEqual([64, 36, 0]);
    expect(first.slice(0, 2)).toEqual(['first', '1']);
  });
});
