import { anIdempotencyRecord } from '../../../test/builders/idempotency-record.builder.js';
import { DomainError } from '../errors/domain-error.js';
import { IdempotencyKeyTaken, type StoredResult } from './idempotency-record.js';
import { IdempotentWrites } from './idempotent-writes.service.js';

const idempotency = anIdempotencyRecord();
const kept = (result: unknown, requestHash = idempotency.requestHash) => ({ requestHash, result });

/** Writes once with these stored results, one for each time that the record is looked up; then with none. */
function once(found: (StoredResult | null)[], write: () => Promise<unknown>, hasKey = true) {
  const find = jest.fn<Promise<StoredResult | null>, [string, Date]>(
    async () => found.shift() ?? null,
  );
  const written = jest.fn(write);
  const outcome = new IdempotentWrites({ find }).once(hasKey ? idempotency : undefined, written);
  return { find, written, outcome };
}

const fails = (error: Error) => () => Promise.reject(error);

describe('IdempotentWrites', () => {
  it('executes a write without a key, whatever is stored', async () => {
    const { find, written, outcome } = once([kept('old')], async () => 'new', false);
    expect(await outcome).toBe('new');
    expect(written).toHaveBeenCalledTimes(1);
    expect(find).not.toHaveBeenCalled();
  });

  it('executes a write the first time', async () => {
    const { find, written, outcome } = once([], async () => 'done');
    expect(await outcome).toBe('done');
    expect(written).toHaveBeenCalledTimes(1);
    expect(find.mock.calls).toEqual([[idempotency._id, idempotency.createdAt]]);
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

  it.each([
    ['used the key first', new IdempotencyKeyTaken()],
    ['made this one fail', new DomainError('CLIENT_EMAIL_TAKEN')],
  ])('returns the result of the same request where it %s concurrently', async (_case, error) => {
    const { outcome } = once([null, kept('of the twin')], fails(error));
    expect(await outcome).toBe('of the twin');
  });

  it('rejects the key where another request used it first', async () => {
    const { outcome } = once(
      [null, kept('of another', 'another hash')],
      fails(new IdempotencyKeyTaken()),
    );
    await expect(outcome).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it.each([new DomainError('CLIENT_NOT_FOUND'), new Error('the disk is full')])(
    'rethrows the error of the write if no concurrent request has succeeded: %p',
    async (error) => {
      const { find, written, outcome } = once([], fails(error));
      await expect(outcome).rejects.toBe(error);
      expect(written).toHaveBeenCalledTimes(1);
      expect(find).toHaveBeenCalledTimes(2);
    },
  );

  it('fails if the record that was stored first is gone', async () => {
    const { outcome } = once([], fails(new IdempotencyKeyTaken()));
    await expect(outcome).rejects.toThrow('The idempotency record that was stored first is gone');
  });
});
