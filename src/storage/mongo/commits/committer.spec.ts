import { insert, touch } from '../../changes.js';
import { collection, NOT_STORED, type Stored, text } from '../../collection.js';
import type { Priority } from '../connection/connection-slots.js';
import { runUntil } from '../connection/statement-deadline.js';
import type { Statements } from '../connection/statements.js';
import { Codec } from '../documents/codec.js';
import type { Documents } from '../documents/documents.js';
import { inRequest } from '../../../../test/contract/in-request.js';
import { Committer } from './committer.js';
import type { Lane, Work } from './lane.js';
import { type Operation, operationOf, type RecordOperation } from './operation.js';
import type { Attempt } from './transaction.js';

const NOTES = collection<Stored>('notes', { fields: { _id: text() } });
const documents = { codec: new Codec(NOTES) } as unknown as Documents;
const MADE: Attempt = { failed: [], affected: 0 };

/** Runs as the lane of a transaction does; the test ends each of them. */
class FakeLane {
  readonly batches: string[][] = [];
  private readonly ends: ((attempt: Attempt | Error) => void)[] = [];

  constructor(readonly priority: Priority) {}

  run(batch: readonly Work[]): Promise<Attempt> {
    const records = batch.map(({ operations }) => idOf(operations[0]!));
    this.batches.push(records);
    return new Promise((resolve, reject) => {
      this.ends.push((end) => (end instanceof Error ? reject(end) : resolve(end)));
    });
  }

  async end(end: Attempt | Error = MADE): Promise<void> {
    this.ends.shift()!(end);
    await tick();
  }
}

const tick = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const idOf = (operation: Operation) => (operation as RecordOperation).record.split(' ')[1]!;
const add = (_id: string) => operationOf(insert(NOTES, { _id, version: NOT_STORED }), documents);

describe('Committer', () => {
  let lanes: FakeLane[];
  let committer: Committer;
  beforeEach(() => {
    lanes = [new FakeLane('license check'), new FakeLane('other')];
    const untilDeadline: Statements['untilDeadline'] = (work) =>
      runUntil(performance.now() + 60_000, work);
    const statements = { untilDeadline } as Statements;
    committer = new Committer(statements, lanes as unknown as Lane[]);
  });

  const commit = (...operations: Operation[]) => committer.commit(operations);

  it('makes commits of one tick in one transaction, and those that wait for it in the next', async () => {
    const [, other] = lanes as [FakeLane, FakeLane];
    const commits = [commit(add('1')), commit(add('2'))];
    await tick();
    commits.push(commit(add('3')), commit(add('4')));
    await tick();
    expect(other.batches).toEqual([['1', '2']]);
    await other.end();
    expect(other.batches).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
    await other.end();
    expect(await Promise.all(commits)).toEqual(Array(4).fill({ ok: true, affected: 0 }));
  });

  it('tries commits again of a transaction that has failed: those that may be due alone', async () => {
    const [, other] = lanes as [FakeLane, FakeLane];
    const failing = add('2') as RecordOperation;
    const commits = [commit(add('1')), commit(failing), commit(add('3'))];
    await tick();
    await other.end({ failed: [failing], affected: 0 });
    expect(other.batches.at(-1)).toEqual(['1', '3']);
    await other.end();
    expect(other.batches.at(-1)).toEqual(['2']);
    await other.end({ failed: [failing], affected: 0 });
    const made = { ok: true, affected: 0 };
    const failed = { ok: false, failed: failing.change };
    expect(await Promise.all(commits)).toEqual([made, failed, made]);
  });

  it('rejects the one commit whose error fails a transaction', async () => {
    const [, other] = lanes as [FakeLane, FakeLane];
    const commits = ['1', '2'].map((id) => commit(add(id)));
    const settled = Promise.allSettled(commits);
    await tick();
    await other.end(new Error('a bug'));
    await other.end(new Error('a bug'));
    await other.end();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  it('makes license checks in a lane that other work does not delay, except over the same record', async () => {
    const [checks, other] = lanes as [FakeLane, FakeLane];
    const check = (operation: Operation) =>
      inRequest(60_000, () => commit(operation), { isLicenseCheck: true });
    const commits = [commit(operationOf(touch(NOTES, '1'), documents))];
    await tick();
    commits.push(check(add('2')));
    await tick();
    expect(checks.batches).toEqual([['2']]);
    await checks.end();
    commits.push(check(operationOf(touch(NOTES, '1'), documents)));
    await tick();
    expect(checks.batches).toHaveLength(1);
    await other.end();
    expect(checks.batches).toEqual([['2'], ['1']]);
    await checks.end();
    await Promise.all(commits);
  });

  it('rejects a commit where 1,024 wait', async () => {
    const [, other] = lanes as [FakeLane, FakeLane];
    const commits = [commit(add('first'))];
    await tick();
    commits.push(...Array.from({ length: 1_024 }, (_, index) => commit(add(`${index}`))));
    await expect(commit(add('last'))).rejects.toMatchObject({ code: 'OVERLOADED' });
    expect(committer.waiting).toBe(1_024);
    while (other.batches.length < 17) await other.end();
    await other.end();
    await Promise.all(commits);
  });
});
