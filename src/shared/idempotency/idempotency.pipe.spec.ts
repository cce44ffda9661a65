import { randomBytes } from 'node:crypto';
import { FakeClock } from '../../../test/fake-clock.js';
import { toAccountId } from '../ids/account-id.js';
import { DataKeys } from '../sealing/data-keys.js';
import { IdempotencyPipe, type IdempotentRequest } from './idempotency.pipe.js';

const dataKeys = new DataKeys(Buffer.alloc(96, 1));
const clock = new FakeClock();
const REQUEST: IdempotentRequest = {
  key: 'key-1',
  accountId: toAccountId('1'.repeat(24)),
  request: ['/projects/createProject', { name: 'Shop', duration: 6 }],
};

const recordOf = (changes: Partial<IdempotentRequest> = {}, keys = dataKeys) =>
  new IdempotencyPipe(keys, clock).transform({ ...REQUEST, ...changes })!;

describe('IdempotencyPipe', () => {
  it('makes no record of a request without a key', () => {
    expect(recordOf({ key: undefined })).toBeUndefined();
  });

  it('makes the same record of the same request, for 24 hours from now', () => {
    const idempotency = recordOf();
    expect(idempotency).toEqual({
      _id: expect.any(String) as string,
      owner: REQUEST.accountId,
      requestHash: expect.any(String) as string,
      createdAt: clock.now(),
      expiresAt: new Date('2026-02-01T10:15:00.000Z'),
    });
    expect(recordOf({ request: structuredClone(REQUEST.request) })).toEqual(idempotency);
  });

  it('treats a quoted and a bare key as the same', () => {
    expect(recordOf({ key: ' "key-1" ' })).toEqual(recordOf());
  });

  it('makes different records for other keys, accounts and deployments', () => {
    const records = [
      recordOf(),
      recordOf({ key: 'key-2' }),
      recordOf({ key: 'KEY-1' }),
      recordOf({ accountId: toAccountId('2'.repeat(24)) }),
      recordOf({}, new DataKeys(randomBytes(96))),
      // The same text, if the account and the key were not separated.
      recordOf({ accountId: toAccountId('12'), key: '3' }),
      recordOf({ accountId: toAccountId('1'), key: '23' }),
    ];
    expect(new Set(records.map(({ _id }) => _id)).size).toBe(records.length);
  });

  it('gives another request with the same key another request hash', () => {
    const [url, body] = REQUEST.request as [string, object];
    const records = [
      recordOf(),
      recordOf({ request: ['/projects/1', body] }),
      recordOf({ request: [url, { ...body, duration: 7 }] }),
      recordOf({ request: [url, { ...body, duration: '6' }] }),
      recordOf({ request: [url, {}] }),
      recordOf({ request: [url, null] }),
      recordOf({ request: [url] }),
    ];
    expect(new Set(records.map(({ _id }) => _id)).size).toBe(1);
    expect(new Set(records.map(({ requestHash }) => requestHash)).size).toBe(records.length);
  });

  it('contains neither the key nor the request', () => {
    const shown = JSON.stringify(
      recordOf({ key: 'secret-key', request: ['/x', { secret: 'body' }] }),
    );
    expect(shown).not.toMatch(/secret|body/);
  });

  it.each(['', '""', 'ä', 'x'.repeat(256), '"a", "b"'])('rejects the key %j', (key) => {
    expect(() => recordOf({ key })).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        fields: expect.objectContaining({
          errors: {
            'Idempotency-Key': ['Idempotency-Key must have 1 to 255 printable ASCII characters'],
          },
        }) as object,
      }) as Error,
    );
  });
});
