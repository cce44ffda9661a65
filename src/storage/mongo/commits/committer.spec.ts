import type { Statements } from '../connection/statements.js';
import { Committer } from './committer.js';

it('A commit that is not sent until its deadline leaves the queue', async () => {
  const overdue = new Error('deadline');
  const untilDeadline = (work: () => Promise<unknown>) => {
    void work();
    return Promise.reject(overdue);
  };
  const statements = { endOfWork: () => Infinity, untilDeadline } as unknown as Statements;
  const committer = new Committer(statements, []);
  const commit = committer.commit([]);
  expect(committer.waiting).toBe(1);
  await expect(commit).rejects.toBe(overdue);
  expect(committer.waiting).toBe(0);
});
