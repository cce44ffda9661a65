import { FakeClock } from '../../test/fake-clock.js';
import type { Config } from '../shared/config/config.js';
import { REMEMBERED } from '../server/rate-limit/fixed-windows.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { UnknownKeyLimiter } from './unknown-key-limiter.js';

const ADDRESS = '192.0.2.1';
const OTHER_ADDRESS = '192.0.2.2';
const keyOf = (number: number) => `LIC-${'0'.repeat(24)}-AAAA-AAAA-${1000 + number}`;

describe('UnknownKeyLimiter', () => {
  let clock: FakeClock;
  let limiter: UnknownKeyLimiter;
  const start = (requests: number) => {
    const limits = { unknownKeys: { requests, seconds: 900 } };
    limiter = new UnknownKeyLimiter({ limits } as Config, clock);
  };
  const count = (from: number, to: number, address = ADDRESS) => {
    for (let number = from; number <= to; number++) limiter.count(address, keyOf(number));
  };
  const rejection = (retryAfter: number, limit = 20) =>
    expect.objectContaining({ code: 'TOO_MANY_REQUESTS', retryAfter, limit }) as DomainError;
  const thrownBy = (run: () => void): unknown => {
    try {
      run();
    } catch (error) {
      return error;
    }
    return undefined;
  };

  beforeEach(() => {
    clock = new FakeClock();
    start(20);
  });

  it('allows an address 20 distinct unknown keys, each any number of times', () => {
    expect(thrownBy(() => count(1, 20))).toBeUndefined();
    expect(thrownBy(() => count(1, 20))).toBeUndefined();
  });

  it('rejects the 21st, and every unknown key of that address from then on', () => {
    count(1, 20);
    expect(thrownBy(() => count(21, 21))).toEqual(rejection(900));
    expect(thrownBy(() => count(22, 22))).toEqual(rejection(900));
    expect(thrownBy(() => count(1, 1))).toEqual(rejection(900));
  });

  it('counts a key once, however often and in any form it is sent', () => {
    for (let poll = 0; poll < 1000; poll++) {
      limiter.count(ADDRESS, keyOf(1));
      limiter.count(ADDRESS, ` ${keyOf(1).toLowerCase()}\n`);
    }
    expect(thrownBy(() => count(2, 20))).toBeUndefined();
    expect(thrownBy(() => count(21, 21))).toEqual(rejection(900));
  });

  it('counts a malformed key like any unknown key', () => {
    for (let number = 1; number <= 20; number++) limiter.count(ADDRESS, `no key ${number}`);
    expect(thrownBy(() => limiter.count(ADDRESS, 'no key 21'))).toEqual(rejection(900));
  });

  it('rejects until the window of the first unknown key ends, and no longer', () => {
    count(1, 1);
    clock.advance({ seconds: 600 });
    expect(thrownBy(() => count(2, 21))).toEqual(rejection(300));
    clock.advance({ seconds: 299.5 });
    expect(thrownBy(() => count(22, 22))).toEqual(rejection(1));
    clock.advance({ seconds: 0.5 });
    expect(thrownBy(() => count(22, 22))).toBeUndefined();
  });

  it('starts at zero in a new window', () => {
    count(1, 20);
    clock.advance({ seconds: 900 });
    expect(thrownBy(() => count(21, 40))).toBeUndefined();
    expect(thrownBy(() => count(41, 41))).toEqual(rejection(900));
  });

  it('counts each address separately', () => {
    expect(thrownBy(() => count(1, 21))).toBeInstanceOf(DomainError);
    expect(thrownBy(() => count(1, 20, OTHER_ADDRESS))).toBeUndefined();
  });

  it('is off where the limit is 0', () => {
    start(0);
    expect(thrownBy(() => count(1, 1000))).toBeUndefined();
  });

  it('allows one key where the limit is 1', () => {
    start(1);
    expect(thrownBy(() => count(1, 1))).toBeUndefined();
    expect(thrownBy(() => count(2, 2))).toEqual(rejection(900, 1));
  });

  it('remembers a bounded number of addresses, and forgets the one unseen for longest', () => {
    expect(thrownBy(() => count(1, 21))).toEqual(rejection(900));
    for (let number = 1; number < REMEMBERED; number++) count(1, 1, `address ${number}`);
    expect(thrownBy(() => count(22, 22))).toEqual(rejection(900));
    for (let number = 1; number <= REMEMBERED; number++) count(1, 1, `other ${number}`);
    expect(thrownBy(() => count(22, 22))).toBeUndefined();
  });

  it('rejects for at most one window after the clock is set back (R9)', () => {
    expect(thrownBy(() => count(1, 21))).toEqual(rejection(900));
    clock.advance({ seconds: -365 * 86_400 });
    expect(thrownBy(() => count(22, 22))).toBeUndefined();
  });
});
