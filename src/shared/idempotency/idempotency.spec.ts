import { randomBytes } from 'node:crypto';
import { FakeClock } from '../../../test/fake-clock.js';
import { toAccountId } from '../ids.js';
import { DataKeys } from '../sealing/data-keys.js';
import {
  IdempotencyPipe,
  type IdempotentRequest,
  parseIdempotencyKey,
} from './idempotency.decorator.js';

const UUID = '8e03978e-40d5-43dd-bc93-6894a57f9324';
const HASH = /^[\w-]{43}$/;

describe('parseIdempotencyKey', () => {
  it.each([
    [UUID, UUID],
    [` "${UUID}" `, UUID],
    ['~', '~'],
    ['" a "', ' a '],
    ['a"b', 'a"b'],
    ['"a\\"b\\\\c"', 'a"b\\c'],
    [`"${'x'.repeat(255)}"`, 'x'.repeat(255)],
    [`"${'\\"'.repeat(255)}"`, '"'.repeat(255)],
  ])('parses %j as the key %j', (header, key) => {
    expect(parseIdempotencyKey(header)).toBe(key);
  });

  it.each(['', '""', '"', '"a"b"', '"a\\"', '"a\\b"', 'a\0b', '\u007f', `"${'x'.repeat(256)}"`])(
    'rejects %j',
    (header) => {
      expect(parseIdempotencyKey(header)).toBeUndefined();
    },
  );
});

const dataKeys = new DataKeys(Buffer.alloc(96, 1));
const clock = new FakeClock();
const REQUEST: IdempotentRequest = {
  header: 'key-1',
  accountId: toAccountId('1'.repeat(24)),
  principal: '2'.repeat(24),
  request: ['/projects/createProject', { name: 'Shop', terms: [{ days: 6, plan: null }] }],
};

const recordOf = (changes: Partial<IdempotentRequest> = {}, keys = dataKeys) =>
  new IdempotencyPipe(keys, clock).transform({ ...REQUEST, ...changes })!;

describe('IdempotencyPipe', () => {
  it('makes the same record for the same request, without its content, for 24 hours', () => {
    const idempotency = recordOf();
    expect(idempotency).toEqual({
      _id: expect.stringMatching(HASH) as string,
      owner: REQUEST.accountId,
      requestHash: expect.stringMatching(HASH) as string,
      createdAt: clock.now(),
      expiresAt: new Date('2026-02-01T10:15:00.000Z'),
    });
    // In JSON, the order of members has no meaning.
    const request = [REQUEST.request[0], { terms: [{ plan: null, days: 6 }], name: 'Shop' }];
    expect(recordOf({ request })).toEqual(idempotency);
  });

  it('makes different records for other keys, callers and deployments, and different hashes for other requests', () => {
    const [url, body] = REQUEST.request as [string, object];
    const records = [
      recordOf(),
      recordOf({ header: 'KEY-1' }),
      recordOf({ principal: '3'.repeat(24) }),
      recordOf({}, new DataKeys(randomBytes(96))),
      // These would be the same text if caller and key were not separated.
      recordOf({ principal: '12', header: '3' }),
      recordOf({ principal: '1', header: '23' }),
    ];
    expect(new Set(records.map(({ _id }) => _id)).size).toBe(6);
    const others = [
      ['/projects/1', body],
      [url, { ...body, duration: 7 }],
      [url, { ...body, terms: [] }],
      [url, null],
      [url],
    ];
    const requests = [recordOf(), ...others.map((request) => recordOf({ request }))];
    expect(new Set(requests.map(({ _id }) => _id)).size).toBe(1);
    expect(new Set(requests.map(({ requestHash }) => requestHash)).size).toBe(6);
  });
});
