import { FakeClock } from '../../test/fake-clock.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import type { Config } from '../shared/config/config.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { ValidationLimitGuard } from './validation-limit.guard.js';

const ADDRESS = '192.0.2.1';
const keyOf = (number: number) => `LIC-${'A'.repeat(24)}-AAAA-AAAA-${1000 + number}`;

describe('ValidationLimitGuard', () => {
  let clock: FakeClock;
  let limiter: ValidationLimitGuard;
  let keys: LicenseKeyService;
  const start = (forKey: number, forAddress: number) => {
    const limits = {
      validation: { requests: forKey, seconds: 60 },
      validationAddress: { requests: forAddress, seconds: 60 },
    };
    const config = { keyPrefix: 'LIC', limits } as Config;
    keys = new LicenseKeyService(config, new DataKeys(Buffer.alloc(96, 1)));
    limiter = new ValidationLimitGuard(config, clock, keys);
  };
  /** The limits that rejected some of this many requests. */
  const rejectionsOf = (times: number, key: string | undefined, address = ADDRESS) => {
    const limits: unknown[] = [];
    for (let i = 0; i < times; i++) {
      try {
        limiter.count(address, key);
      } catch (error) {
        expect(error).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfter: 60 });
        limits.push((error as { limit?: number }).limit);
      }
    }
    return limits;
  };

  beforeEach(() => {
    clock = new FakeClock();
    start(60, 3000);
  });

  it('allows 60 requests of a key from an address in a minute', () => {
    expect(rejectionsOf(60, keyOf(1))).toEqual([]);
    expect(rejectionsOf(2, keyOf(1))).toEqual([60, 60]);
    expect(rejectionsOf(60, keyOf(2))).toEqual([]);
    expect(rejectionsOf(60, keyOf(1), '192.0.2.2')).toEqual([]);
    clock.advance({ seconds: 60 });
    expect(rejectionsOf(60, keyOf(1))).toEqual([]);
  });

  it('allows an address 3,000 requests in a minute across keys', () => {
    for (let i = 0; i < 3000; i++) limiter.count(ADDRESS, keyOf(i % 500));
    expect(rejectionsOf(2, keyOf(501))).toEqual([3000, 3000]);
    expect(rejectionsOf(1, undefined)).toEqual([3000]);
    expect(rejectionsOf(1, keyOf(501), '192.0.2.2')).toEqual([]);
    clock.advance({ seconds: 60 });
    expect(rejectionsOf(1, keyOf(501))).toEqual([]);
  });

  it('counts all forms of a key as one key', () => {
    for (let i = 0; i < 20; i++) {
      limiter.count(ADDRESS, keyOf(1));
      limiter.count(ADDRESS, keyOf(1).toLowerCase());
      limiter.count(ADDRESS, ` ${keyOf(1)}\n`);
    }
    expect(rejectionsOf(1, keyOf(1).replace('LIC', 'lIc'))).toEqual([60]);
  });

  it.each([
    ['no key', undefined],
    ['what can be no key', 'no key'],
    ['an empty key', ''],
  ])('counts a request with %s for its address alone', (_case, key) => {
    expect(rejectionsOf(3000, key)).toEqual([]);
    expect(rejectionsOf(1, keyOf(1))).toEqual([3000]);
  });

  it('does not count a request that the limit of its key rejects for the address', () => {
    rejectionsOf(10_000, keyOf(1));
    expect(rejectionsOf(2940, undefined)).toEqual([]);
    expect(rejectionsOf(1, undefined)).toEqual([3000]);
  });

  it('does not count the key where the address is over its limit', () => {
    start(60, 1);
    limiter.count(ADDRESS, undefined);
    const hash = jest.spyOn(keys, 'hash');
    expect(rejectionsOf(1, keyOf(1))).toEqual([1]);
    expect(hash).not.toHaveBeenCalled();
  });

  it('returns the status of the limit that is closest to rejecting', () => {
    start(3, 5);
    expect(limiter.count(ADDRESS, keyOf(1))).toEqual({ limit: 3, remaining: 2, reset: 60 });
    clock.advance({ seconds: 20 });
    expect(limiter.count(ADDRESS, keyOf(2))).toEqual({ limit: 3, remaining: 2, reset: 60 });
    expect(limiter.count(ADDRESS, undefined)).toEqual({ limit: 5, remaining: 2, reset: 40 });
    expect(limiter.count(ADDRESS, keyOf(3))).toEqual({ limit: 5, remaining: 1, reset: 40 });
  });

  it.each([
    [0, 0, undefined],
    [0, 5, { limit: 5, remaining: 4, reset: 60 }],
    [5, 0, { limit: 5, remaining: 4, reset: 60 }],
  ])(
    'is off where the limit is 0: %i for a key, %i for an address',
    (forKey, forAddress, status) => {
      start(forKey, forAddress);
      expect(limiter.count(ADDRESS, keyOf(1))).toEqual(status);
      expect(rejectionsOf(4, keyOf(1))).toEqual([]);
      expect(rejectionsOf(1, keyOf(1))).toHaveLength(status ? 1 : 0);
    },
  );
});
