import v8 from 'node:v8';
import vm from 'node:vm';
import { FakeClock } from '../../test/fake-clock.js';
import type { Limit } from '../shared/config/config.js';
import { MAX_WINDOWS, MemoryRateLimits } from './memory-rate-limits.js';

const VALIDATION: Limit = { name: 'validationAddress', requests: 3000, seconds: 60 };
const LOGIN: Limit = { name: 'loginByAddress', requests: 10, seconds: 900 };

// The counting rules are tested in test/contract/limits.
describe('MemoryRateLimits', () => {
  let limits: MemoryRateLimits;
  const hitsOf = (limit: Limit, key: string) => limits.hitSync(limit, key, 0).hits;
  /** One request from each of many addresses, so each has its own window. */
  const flood = (limit: Limit, addresses: number, name = 'address') => {
    for (let i = 0; i < addresses; i++) limits.hitSync(limit, `${name} ${i}`);
  };
  beforeEach(() => {
    limits = new MemoryRateLimits(new FakeClock());
  });

  it('R12: are bounded per limit; a flood drops only the windows of its own limit, the least recently hit first', () => {
    limits.hitSync(LOGIN, 'guesser');
    limits.hitSync(VALIDATION, 'first');
    limits.hitSync(VALIDATION, 'second');
    flood(VALIDATION, MAX_WINDOWS - 2);
    limits.hitSync(VALIDATION, 'first');
    flood(VALIDATION, 1, 'another');
    expect(hitsOf(LOGIN, 'guesser')).toBe(1);
    expect(hitsOf(VALIDATION, 'first')).toBe(2);
    expect(hitsOf(VALIDATION, 'second')).toBe(0);
    expect(hitsOf(VALIDATION, 'address 0')).toBe(1);
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
