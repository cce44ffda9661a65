import { CommitQueue, type Queued } from './commit-queue.js';

interface Commit extends Queued {
  readonly name: string;
}

/** A commit that uses these names; those after a `+` it shares. */
const aCommit = (name: string, ...uses: string[]): Commit => ({
  name,
  isAlone: false,
  uses: uses.map((use) => ({
    name: use.replace('+', ''),
    share: use.startsWith('+') ? '{}' : undefined,
  })),
});
const alone = (commit: Commit): Commit => ({ ...commit, isAlone: true });

describe('CommitQueue', () => {
  let locked: Set<string>;
  let queue: CommitQueue<Commit>;
  beforeEach(() => {
    locked = new Set();
    queue = new CommitQueue(locked);
  });

  const add = (...commits: Commit[]) => commits.forEach((commit) => queue.add(commit));
  const take = () => queue.take().map(({ name }) => name);

  it('takes the commits that wait together, in order', () => {
    add(aCommit('a', '1'), aCommit('b', '2', '3'), aCommit('c', '4'));
    expect(take()).toEqual(['a', 'b', 'c']);
    expect(take()).toEqual([]);
    expect(queue.size).toBe(0);
  });

  it('takes no two commits together that use the same record, unless they share it', () => {
    add(aCommit('a', '1'), aCommit('b', '1'), aCommit('c', '+2', '3'), aCommit('d', '+2', '4'));
    expect(take()).toEqual(['a', 'c', 'd']);
  });

  it('takes no commits together that share a record in different ways', () => {
    const other = { ...aCommit('b'), uses: [{ name: '1', share: '{"product":null}' }] };
    add(aCommit('a', '+1'), other, aCommit('c', '1'));
    expect([take(), queue.size]).toEqual([['a'], 2]);
  });

  it('takes no commit whose records are used by a batch, until that is released', () => {
    add(aCommit('a', '+1'));
    const batch = queue.take();
    add(aCommit('b', '+1', '2'), aCommit('c', '3'));
    expect(take()).toEqual(['c']);
    queue.release(batch);
    expect(take()).toEqual(['b']);
  });

  it('locks records for other queues, too', () => {
    const other = new CommitQueue<Commit>(locked);
    add(aCommit('a', '1'));
    other.add(aCommit('b', '1'));
    const batch = queue.take();
    expect(other.take()).toEqual([]);
    queue.release(batch);
    expect(other.take()).toHaveLength(1);
  });

  it('lets no commit overtake one that waits for one of its records', () => {
    add(aCommit('a', '1'));
    const batch = queue.take();
    add(aCommit('b', '1', '2'), aCommit('c', '2'));
    expect(take()).toEqual([]);
    queue.release(batch);
    expect(take()).toEqual(['b']);
  });

  it('takes a commit alone that shares no transaction', () => {
    add(aCommit('a', '1'), alone(aCommit('b', '2')), aCommit('c', '2'), aCommit('d', '3'));
    expect(take()).toEqual(['a', 'd']);
    const batch = queue.take();
    expect(batch.map(({ name }) => name)).toEqual(['b']);
    queue.release(batch);
    expect(take()).toEqual(['c']);
  });

  it('takes at most 64 commits', () => {
    add(...Array.from({ length: 100 }, (_, index) => aCommit(`${index}`, `${index}`)));
    expect([take().length, take().length, queue.size]).toEqual([64, 36, 0]);
  });

  it('takes commits first that were put back, and none that was dropped', () => {
    add(aCommit('a', '1'), aCommit('b', '2'));
    queue.putBack([aCommit('c', '3')]);
    queue.drop(({ name }) => name === 'a');
    expect(take()).toEqual(['c', 'b']);
  });
});
