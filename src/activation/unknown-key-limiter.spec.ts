import { FakeClock } from '../../test/fake-clock.js';
import type { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { MemoryRateLimitWindows } from '../shared/rate-limit/memory-rate-limit-windows.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { UnknownKeyLimiter } from './unknown-key-limiter.js';

const ADDRESS = '192.0.2.1';
const OTHER_ADDRESS = '192.0.2.2';
const keyOf = (number: number) => `LIC-${'0'.repeat(24)}-AAAA-AAAA-${1000 + number}`;

describe('UnknownKeyLimiter', () => {
  let clock: FakeClock;
  let limiter: UnknownKeyLimiter;
  const start = (requests: number) => {
    const limits = { unknownKeys: { requests, seconds: 900 } };
    const [windows, dataKeys] = [new MemoryRateLimitWindows(), new DataKeys(Buffer.alloc(96, 1))];
    limiter = new UnknownKeyLimiter({ limits } as Config, windows, dataKeys, clock);
  };
  /** Counts keys of an address. Returns the first rejection. */
  const countKeys = async (keys: string[], address = ADDRESS): Promise<unknown> => {
    try {
      for (const key of keys) await limiter.count(address, key);
      return undefined;
    } catch (error) {
      return error;
    }
  };
  const count = (from: number, to: number, address?: string) =>
    countKeys(
      Array.from({ length: to - from + 1 }, (_, index) => keyOf(from + index)),
      address,
    );
  const rejection = (retryAfter: number, limit = 20) =>
    expect.objectContaining({ code: 'TOO_MANY_REQUESTS', retryAfter, limit }) as DomainError;

  beforeEach(() => {
    clock = new FakeClock();
    start(20);
  });

  it('allows an address 20 distinct unknown keys any number of times, and then rejects every one', async () => {
    expect(await count(1, 20)).toBeUndefined();
    expect(await count(1, 20)).toBeUndefined();
    expect(await count(21, 21)).toEqual(rejection(900));
    expect(await count(22, 22)).toEqual(rejection(900));
    expect(await count(1, 1)).toEqual(rejection(900));
  });

  it('counts a key once, however often and in any form it is sent', async () => {
    const forms = [keyOf(1), ` ${keyOf(1).toLowerCase()}\n`];
    for (let poll = 0; poll < 1000; poll++) expect(await countKeys(forms)).toBeUndefined();
    expect(await count(2, 20)).toBeUndefined();
    expect(await count(21, 21)).toEqual(rejection(900));
  });

  it('counts a malformed key like any unknown key', async () => {
    const malformed = Array.from({ length: 21 }, (_, number) => `no key ${number}`);
    expect(await countKeys(malformed.slice(1))).toBeUndefined();
    expect(await countKeys(malformed)).toEqual(rejection(900));
  });

  it('rejects until the window of the first unknown key ends, and no longer', async () => {
    await count(1, 1);
    clock.advance({ seconds: 600 });
    expect(await count(2, 21)).toEqual(rejection(300));
    clock.advance({ seconds: 299.5 });
    expect(await count(22, 22)).toEqual(rejection(1));
    clock.advance({ seconds: 0.5 });
    expect(await count(22, 41)).toBeUndefined();
    expect(await count(42, 42)).toEqual(rejection(900));
  });

  it('counts each address separately', async () => {
    expect(await count(1, 21)).toBeInstanceOf(DomainError);
    expect(await count(1, 20, OTHER_ADDRESS)).toBeUndefined();
  });

  it('is off where the limit is 0', async () => {
    start(0);
    expect(await count(1, 1000)).toBeUndefined();
  });

  it('allows one key where the limit is 1', async () => {
    start(1);
    expect(await count(1, 1)).toBeUndefined();
    expect(await count(2, 2)).toEqual(rejection(900, 1));
  });

  it('rejects for at most one window after the clock is set back (R9)', async () => {
    expect(await count(1, 21)).toEqual(rejection(900));
    clock.advance({ seconds: -365 * 86_400 });
    expect(await count(22, 22)).toBeUndefined();
  });
});
