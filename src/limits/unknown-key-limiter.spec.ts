import { FakeClock } from '../../test/fake-clock.js';
import type { Config } from '../shared/config/config.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { MemoryRateLimits } from './memory-rate-limits.js';
import { UnknownKeyLimiter } from './unknown-key-limiter.js';

const [ADDRESS, OTHER_ADDRESS] = ['192.0.2.1', '192.0.2.2'];
const keyOf = (number: number) => `LIC-${'A'.repeat(24)}-AAAA-AAAA-${1000 + number}`;

it('UnknownKeyLimiter allows an address a number of distinct unknown keys, each any number of times, then rejects all', async () => {
  const clock = new FakeClock();
  const config = { limits: { unknownKeys: { name: 'unknownKeys', requests: 2, seconds: 900 } } };
  const dataKeys = new DataKeys(Buffer.alloc(96, 1));
  const limits = new MemoryRateLimits(clock);
  const limiter = new UnknownKeyLimiter(limits, dataKeys, config as unknown as Config);
  const count = async (...keys: string[]) => {
    for (const key of keys) await limiter.count(ADDRESS, key);
  };
  for (let poll = 0; poll < 10; poll++) await count(keyOf(1), 'no key');
  clock.advance({ seconds: 600 });
  const rejection = { code: 'TOO_MANY_REQUESTS', retryAfter: 300, limit: 2 };
  for (const key of [keyOf(2), keyOf(1), 'no key']) {
    await expect(count(key)).rejects.toMatchObject(rejection);
  }
  await limiter.count(OTHER_ADDRESS, keyOf(2));
  clock.advance({ seconds: 300 });
  await count(keyOf(3), keyOf(4), keyOf(3));
  await expect(count(keyOf(5))).rejects.toMatchObject({ retryAfter: 900 });
});
