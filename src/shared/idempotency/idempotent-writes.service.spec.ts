import { anIdempotencyRecord } from '../../../test/builders/idempotency-record.builder.js';
import { DomainError } from '../errors/domain-error.js';
import { IdempotencyKeyTaken, type StoredResult } from './idempotency-record.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { IdempotentWrites } from './idempotent-writes.service.js';

const idempotency = anIdempotencyRecord();
const kept = (result: unknown, requestHash = idempotency.requestHash) => ({ requestHash, result });

/** A repository that finds these results, one for each call; then none. */
class Found extends IdempotencyRepository {
  readonly asked: [string, Date][] = [];

  constructor(private readonly responses: (StoredResult | null)[]) {
    super();
  }

  async find(_id: string, now: Date): Promise<StoredResult | null> {
    this.asked.push([_id, now]);
    return this.responses[this.asked.length - 1] ?? null;
  }
}

function once(found: (StoredResult | null)[], write: () => Promise<unknown>, under = true) {
  const repository = new Found(found);
  const written = jest.fn(write);
  const outcome = new IdempotentWrites(repository).once(under ? idempotency : undefined, written);
  return { repository, written, outcome };
}

const fails = (error: Error) => () => Promise.reject(error);

describe('IdempotentWrites', () => {
  it('executes a write without a key, whatever is stored', async () => {
    const { repository, written, outcome } = once([kept('old')], async () => 'new', false);
    expect(await outcome).toBe('new');
    expect(written).toHaveBeenCalledTimes(1);
    expect(repository.asked).toEqual([]);
  });

  it('executes a write the first time', async () => {
    const { repository, written, outcome } = once([], async () => 'done');
    expect(await outcome).toBe('done');
    expect(written).toHaveBeenCalledTimes(1);
    expect(repository.asked).toEqual([[idempotency._id, idempotency.createdAt]]);
  });

  it.each([{ _id: '1' }, null, undefined])(
    'returns the stored result without executing the write: %p',
    async (result) => {
      const { written, outcome } = once([kept(result)], async () => 'new');
      expect(await outcome).toBe(result);
      expect(written).not.toHaveBeenCalled();
    },
  );

  it('rejects another request with the same key without executing it', async () => {
    const { written, outcome } = once([kept('of another', 'another hash')], async () => 'new');
    await expect(outcome).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(written).not.toHaveBeenCalled();
  });

  it('returns the result of a concurrent request that was faster', async () => {
    const { outcome } = once([null, kept('of the twin')], fails(new IdempotencyKeyTaken()));
    expect(await outcome).toBe('of the twin');
  });

  it('returns the result of a concurrent request whose change made this one fail', async () => {
    const rejection = new DomainError('CLIENT_EMAIL_TAKEN');
    const { outcome } = once([null, kept('of the twin')], fails(rejection));
    expect(await outcome).toBe('of the twin');
  });

  it('rejects if a faster request with the same key was another one', async () => {
    const { outcome } = once(
      [null, kept('of another', 'another hash')],
      fails(new IdempotencyKeyTaken()),
    );
    await expect(outcome).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it.each([new DomainError('CLIENT_NOT_FOUND'), new Error('the disk is full')])(
    'rethrows the error of the write if no concurrent request has succeeded: %p',
    async (error) => {
      const { repository, written, outcome } = once([], fails(error));
      await expect(outcome).rejects.toBe(error);
      expect(written).toHaveBeenCalledTimes(1);
      expect(repository.asked).toHaveLength(2);
    },
  );

  it('fails if the record that was stored first is gone', async () => {
    const { outcome } = once([], fails(new IdempotencyKeyTaken()));
    await expect(outcome).rejects.toThrow('The idempotency record that was stored first is gone');
  });
});
