import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { FakeClock } from '../../test/fake-clock.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import type { Config } from '../shared/config/config.js';
import { MemoryRateLimits } from '../limits/memory-rate-limits.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { LimitValidations, ValidationLimitGuard } from './validation-limit.guard.js';

const [ADDRESS, OTHER_ADDRESS] = ['192.0.2.1', '192.0.2.2'];
const keyOf = (number: number) => `LIC-${'A'.repeat(24)}-AAAA-AAAA-${1000 + number}`;
const formsOf = (key: string) => [
  key,
  key.toLowerCase(),
  ` ${key}\n`,
  `"${key.replaceAll('-', '\u2013')}"`,
  key.replace('1', 'I'),
];

class Routes {
  @LimitValidations()
  static validate(this: void) {
    return undefined;
  }
}

describe('The limits of POST /validate', () => {
  let clock: FakeClock;
  let guard: ValidationLimitGuard;
  let keys: LicenseKeyService;
  const start = (forKey: number, forAddress: number) => {
    const limits = {
      validation: { name: 'validation', requests: forKey, seconds: 60 },
      validationAddress: { name: 'validationAddress', requests: forAddress, seconds: 60 },
    };
    const config = { keyPrefix: 'LIC', limits } as unknown as Config;
    keys = new LicenseKeyService(config, new DataKeys(Buffer.alloc(96, 1)));
    const windows = new MemoryRateLimits(clock);
    guard = new ValidationLimitGuard(new Reflector(), windows, keys, config);
  };
  /** Counts a request without waiting. Returns the values of its headers, or the limit that rejects it. */
  const count = (address: string, key: string | undefined) => {
    const values: unknown[] = [];
    const body = Buffer.from(JSON.stringify({ key }));
    const http = {
      getRequest: () => ({ method: 'POST', clientAddress: address, body }),
      getResponse: () => ({ header: (_name: string, value: unknown) => values.push(value) }),
    };
    const context = {
      getHandler: () => Routes.validate,
      switchToHttp: () => http,
    } as unknown as ExecutionContext;
    try {
      expect(guard.canActivate(context)).toBe(true);
      return values;
    } catch (error) {
      expect(error).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfter: 60 });
      return (error as { limit: number }).limit;
    }
  };
  /** The limits that reject any of this many requests. */
  const rejectionsOf = (times: number, key: string | undefined, address = ADDRESS) =>
    Array.from({ length: times }, () => count(address, key)).filter((one) => !Array.isArray(one));

  beforeEach(() => {
    clock = new FakeClock();
    start(6, 30);
  });

  it('allows the limit of requests per key and address in a minute, counting any form of the key', () => {
    for (const form of formsOf(keyOf(1))) expect(rejectionsOf(1, form)).toEqual([]);
    expect(rejectionsOf(3, keyOf(1))).toEqual([6, 6]);
    expect(rejectionsOf(6, keyOf(2))).toEqual([]);
    expect(rejectionsOf(6, 'c1b6de-39a6e3')).toEqual([]);
    expect(rejectionsOf(1, '"C1B6DE-39A6E3"')).toEqual([6]);
    expect(rejectionsOf(6, keyOf(1), OTHER_ADDRESS)).toEqual([]);
    clock.advance({ seconds: 60 });
    expect(rejectionsOf(6, keyOf(1))).toEqual([]);
  });

  it.each([undefined, 'nokey'])(
    'counts requests with the key %j only for their address, which has a limit across keys',
    (key) => {
      for (let i = 0; i < 15; i++) count(ADDRESS, keyOf(i));
      expect(rejectionsOf(16, key)).toEqual([30]);
      expect(rejectionsOf(1, keyOf(99))).toEqual([30]);
      expect(rejectionsOf(1, key, OTHER_ADDRESS)).toEqual([]);
      clock.advance({ seconds: 60 });
      expect(rejectionsOf(1, keyOf(99))).toEqual([]);
    },
  );

  it('does not count a request that either limit rejects', () => {
    rejectionsOf(100, keyOf(1));
    expect(rejectionsOf(25, undefined)).toEqual([30]);
    const hash = jest.spyOn(keys, 'hash');
    expect(rejectionsOf(1, keyOf(2))).toEqual([30]);
    expect(hash).not.toHaveBeenCalled();
  });

  it('shows the status of the limit closest to being reached in its headers', () => {
    start(3, 5);
    expect(count(ADDRESS, keyOf(1))).toEqual([3, 2, 60]);
    clock.advance({ seconds: 20 });
    expect(count(ADDRESS, keyOf(2))).toEqual([3, 2, 60]);
    expect(count(ADDRESS, undefined)).toEqual([5, 2, 40]);
    expect(count(ADDRESS, keyOf(3))).toEqual([5, 1, 40]);
  });

  it.each([
    [0, 5],
    [5, 0],
  ])('is off if the limit is 0: %i for a key, %i for an address', (forKey, forAddress) => {
    start(forKey, forAddress);
    expect(count(ADDRESS, keyOf(1))).toEqual([5, 4, 60]);
    expect(rejectionsOf(5, keyOf(1))).toEqual([5]);
  });
});
