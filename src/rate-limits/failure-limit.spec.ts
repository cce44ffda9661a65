import { FakeClock } from '../../test/fake-clock.js';
import { MemoryRateLimitWindows } from './memory-rate-limit-windows.js';
import { MemoryWindows } from './memory-windows.js';
import type { NamedLimit } from './rate-limit-windows.js';
import { FailureLimit } from './failure-limit.js';

const LIMIT: NamedLimit = { name: 'loginByAddress', requests: 3, seconds: 900 };
const AWAY = new Error('the store is away');

/** A store that goes away while an attempt is made. */
class StoreThatGoesAway extends MemoryRateLimitWindows {
  override async reserve(...args: Parameters<MemoryRateLimitWindows['reserve']>) {
    const { window } = await super.reserve(...args);
    return { window, settle: () => Promise.reject(AWAY) };
  }
}

it('on a store that goes away during an attempt, its success or error is kept, and a failure is rejected, as it cannot be counted', async () => {
  const clock = new FakeClock();
  const limit = new FailureLimit(LIMIT, new StoreThatGoesAway(new MemoryWindows(clock)), clock);
  const run = (attempt: () => Promise<string | null>) => limit.run('ada', attempt, () => undefined);
  const error = new Error('no session');
  await expect(run(async () => 'a session')).resolves.toBe('a session');
  await expect(run(() => Promise.reject(error))).rejects.toBe(error);
  await expect(run(async () => null)).rejects.toBe(AWAY);
});
