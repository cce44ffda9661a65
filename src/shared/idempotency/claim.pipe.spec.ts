import { randomBytes } from 'node:crypto';
import { FakeClock } from '../../../test/fake-clock.js';
import { DataKeys } from '../deployment/data-keys.js';
import { ClaimPipe, type ClaimedRequest } from './claim.pipe.js';

const dataKeys = new DataKeys(Buffer.alloc(96, 1));
const clock = new FakeClock();
const REQUEST: ClaimedRequest = {
  key: 'key-1',
  user: '1'.repeat(24),
  request: ['/projects/createProject', { name: 'Shop', duration: 6 }],
};

const claimOf = (changes: Partial<ClaimedRequest> = {}, keys = dataKeys) =>
  new ClaimPipe(keys, clock).transform({ ...REQUEST, ...changes })!;

describe('ClaimPipe', () => {
  it('makes no claim of a request without a key', () => {
    expect(claimOf({ key: undefined })).toBeUndefined();
  });

  it('makes the same claim of the same request, from now on for 24 hours', () => {
    const claim = claimOf();
    expect(claim).toEqual({
      _id: expect.any(String) as string,
      owner: REQUEST.user,
      requestHash: expect.any(String) as string,
      claimedAt: clock.now(),
      expiresAt: new Date('2026-02-01T10:15:00.000Z'),
    });
    expect(claimOf({ request: structuredClone(REQUEST.request) })).toEqual(claim);
  });

  it('takes a key for the same whether it is quoted or not', () => {
    expect(claimOf({ key: ' "key-1" ' })).toEqual(claimOf());
  });

  it("makes another claim of another key, another user's and another deployment's", () => {
    const claims = [
      claimOf(),
      claimOf({ key: 'key-2' }),
      claimOf({ key: 'KEY-1' }),
      claimOf({ user: '2'.repeat(24) }),
      claimOf({}, new DataKeys(randomBytes(96))),
    ];
    expect(new Set(claims.map(({ _id }) => _id)).size).toBe(claims.length);
  });

  it('keeps user and key apart', () => {
    const [one, other] = [claimOf({ user: '12', key: '3' }), claimOf({ user: '1', key: '23' })];
    expect(one._id).not.toBe(other._id);
  });

  it('tells another request under the same key by its hash', () => {
    const [url, body] = REQUEST.request as [string, object];
    const claims = [
      claimOf(),
      claimOf({ request: ['/projects/1', body] }),
      claimOf({ request: [url, { ...body, duration: 7 }] }),
      claimOf({ request: [url, { ...body, duration: '6' }] }),
      claimOf({ request: [url, {}] }),
      claimOf({ request: [url, null] }),
      claimOf({ request: [url] }),
    ];
    expect(new Set(claims.map(({ _id }) => _id)).size).toBe(1);
    expect(new Set(claims.map(({ requestHash }) => requestHash)).size).toBe(claims.length);
  });

  it('shows nothing of the key or the request', () => {
    const shown = JSON.stringify(
      claimOf({ key: 'secret-key', request: ['/x', { secret: 'body' }] }),
    );
    expect(shown).not.toMatch(/secret|body/);
  });

  it.each(['', '""', 'ä', 'x'.repeat(256), '"a", "b"'])('refuses the key %j', (key) => {
    expect(() => claimOf({ key })).toThrow(
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
