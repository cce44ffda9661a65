import v8 from 'node:v8';
import vm from 'node:vm';
import { FakeClock } from '../../test/fake-clock.js';
import type { Limit } from '../shared/config/config.js';
import { MAX_WINDOWS, MemoryRateLimits } from './memory-rate-limits.js';

const VALIDATION: Limit = { name: 'validationAddress', requests: 3000, seconds: 60 };
const LOGIN: Limit = { name: 'loginByAddress', requests: 10, seconds: 900 };

// The counting rules are tested in test/contract/limits.
describe('MemoryRateLimits', () => {
  let clock: FakeClock;
  let limits: MemoryRateLimits;
  const hitsOf = (limit: Limit, key: string) => limits.hitSync(limit, key, 0).hits;
  /** One request from each of many addresses, so each has its own window. */
  const flood = (limit: Limit, addresses: number, name = 'address') => {
    for (let i = 0; i < addresses; i++) limits.hitSync(limit, `${name} ${i}`);
  };
  beforeEach(() => {
    clock = new FakeClock();
    limits = new MemoryRateLimits(clock);
  });

  it('drop ended windows when new ones start', () => {
    flood(VALIDATION, 12_000);
    clock.advance({ seconds: 60 });
    flood(VALIDATION, 12_000, 'another');
    expect(limits.size).toBe(12_000);
  });

  it('keep one window of a key, however often it restarts', () => {
    for (let time = 0; time < 10; time++) {
      limits.hitSync(LOGIN, 'key');
      clock.advance({ seconds: 900 });
    }
    expect(limits.size).toBe(1);
  });

  it('R12: limit the total number of windows; a flood drops only the oldest windows of its own limit', () => {
    limits.hitSync(LOGIN, 'guesser');
    limits.hitSync(VALIDATION, 'first');
    flood(VALIDATION, MAX_WINDOWS);
    flood({ ...LOGIN, name: 'registration' }, 10_000);
    expect(limits.size).toBeLessThanOrEqual(MAX_WINDOWS);
    expect(limits.size).toBeGreaterThan(MAX_WINDOWS - 1_001);
    expect(hitsOf(LOGIN, 'guesser')).toBe(1);
    expect(hitsOf(VALIDATION, 'first')).toBe(0);
    expect(hitsOf(VALIDATION, `address ${MAX_WINDOWS - 1}`)).toBe(1);
    expect(hitsOf({ ...LOGIN, name: 'registration' }, 'address 0')).toBe(1);
  });

  it('do not retain the header an address was cut from', () => {
    v8.setFlagsFromString('--expose-gc');
    const collect = vm.runInNewContext('gc') as () => void;
    const used = () => (collect(), process.memoryUsage().heapUsed);
    const before = used();
    for (let i = 0; i < 2_000; i++) {
      const header = Buffer.from(`${'x'.repeat(10_000)}, 203.0.113.${1000 + i}`).toString();
      limits.hitSync(VALIDATION, header.slice(10_002));
    }
    expect(used() - before).toBeLessThan(10_000_000);
  });
});
