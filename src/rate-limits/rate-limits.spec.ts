import v8 from 'node:v8';
import vm from 'node:vm';
import { FakeClock } from '../../test/fake-clock.js';
import { FailureLimit } from './failure-limit.js';
import { MemoryRateLimitWindows } from './memory-rate-limit-windows.js';
import { MemoryWindows, WINDOWS_BUDGET } from './memory-windows.js';
import type { NamedLimit } from './rate-limit-windows.js';

const VALIDATION: NamedLimit = { name: 'validationAddress', requests: 3000, seconds: 60 };
const LOGIN: NamedLimit = { name: 'loginByAddress', requests: 10, seconds: 900 };

let clock: FakeClock;
let windows: MemoryWindows;
const now = () => clock.now().getTime();
const begin = (limit: NamedLimit, key: string) => windows.begin(limit, key, now());
const find = (limit: NamedLimit, key: string) => windows.find(limit, key, now());
/** Requests of many addresses, each of which counts in a window of its own. */
const flood = (limit: NamedLimit, addresses: number, name = 'address') => {
  for (let i = 0; i < addresses; i++) begin(limit, `${name} ${i}`);
};

beforeEach(() => {
  clock = new FakeClock();
  windows = new MemoryWindows(clock);
});

describe('MemoryWindows', () => {
  it('drop windows that have ended in a few sweeps, each of a bounded number', () => {
    flood(VALIDATION, 12_000);
    clock.advance({ seconds: 30 });
    begin(VALIDATION, 'open');
    clock.advance({ seconds: 30 });
    const sizes = [1, 2, 3].map(() => (windows.sweep(), windows.size));
    expect(sizes).toEqual([7_001, 2_001, 1]);
    expect(find(VALIDATION, 'open')).toBeDefined();
  });

  it('count the memory of a key once, however often its window begins anew', () => {
    const other = begin(VALIDATION, 'other');
    const long = 'x'.repeat(WINDOWS_BUDGET / 10);
    for (let time = 0; time < 10; time++) begin(LOGIN, long);
    begin(VALIDATION, 'another');
    expect(find(VALIDATION, 'other')).toBe(other);
  });

  it('take at most the budget of all limits together; a flood drops the oldest of its own limit alone', () => {
    const guesser = begin(LOGIN, 'guesser');
    begin(VALIDATION, 'first');
    flood(VALIDATION, 500_000);
    // A window takes 150 bytes at least.
    expect(windows.size).toBeLessThan(WINDOWS_BUDGET / 150);
    expect([find(LOGIN, 'guesser'), find(VALIDATION, 'first')]).toEqual([guesser, undefined]);
    expect(find(VALIDATION, 'address 499999')).toBeDefined();
    const before = windows.size;
    flood({ ...LOGIN, name: 'registration' }, 10_000);
    // A thousand are dropped at a time.
    expect(windows.size).toBeLessThan(before + 1_001);
    expect(find({ ...LOGIN, name: 'registration' }, 'address 0')).toBeDefined();
  });

  it('keep nothing of the header that an address is a part of', () => {
    v8.setFlagsFromString('--expose-gc');
    const collect = vm.runInNewContext('gc') as () => void;
    const used = () => (collect(), process.memoryUsage().heapUsed);
    const before = used();
    for (let i = 0; i < 2_000; i++) {
      const header = Buffer.from(`${'x'.repeat(10_000)}, 203.0.113.${1000 + i}`).toString();
      begin(VALIDATION, header.slice(10_002));
    }
    expect(used() - before).toBeLessThan(10_000_000);
  });
});

// Its windows are those of test/contract/limits/rate-limit-windows.cases.ts.
describe('MemoryRateLimitWindows', () => {
  it('forget the values of a window with it', async () => {
    const limit = { ...LOGIN, name: 'unknownKeys' as const };
    const counted = new MemoryRateLimitWindows(windows);
    for (const value of [1, 2, 1]) await counted.hit(limit, 'a', clock.now(), value);
    expect(windows.size).toBe(3);
    clock.advance({ seconds: 900 });
    windows.sweep();
    expect(windows.size).toBe(0);
  });
});

const AWAY = new Error('the store is away');

/** A store that goes away while an attempt is made. */
class StoreThatGoesAway extends MemoryRateLimitWindows {
  override async reserve(...args: Parameters<MemoryRateLimitWindows['reserve']>) {
    const { window } = await super.reserve(...args);
    return { window, settle: () => Promise.reject(AWAY) };
  }
}

it('FailureLimit on a store that goes away during an attempt keeps its success or error, and rejects a failure, which cannot be counted', async () => {
  const limit = new FailureLimit(LOGIN, new StoreThatGoesAway(windows), clock);
  const run = (attempt: () => Promise<string | null>) => limit.run('ada', attempt, () => undefined);
  const error = new Error('no session');
  await expect(run(async () => 'a session')).resolves.toBe('a session');
  await expect(run(() => Promise.reject(error))).rejects.toBe(error);
  await expect(run(async () => null)).rejects.toBe(AWAY);
});
