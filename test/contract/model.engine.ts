import { MemoryRateLimitWindows } from '../../src/rate-limits/memory-rate-limit-windows.js';
import { MemoryWindows } from '../../src/rate-limits/memory-windows.js';
import { SystemClock } from '../../src/shared/time/clock.js';
import { ModelStore } from './model-store.js';
import type { Engine, StoreUnderTest } from './store-under-test.js';

class ModelUnderTest implements StoreUnderTest {
  readonly store = new ModelStore();
  readonly rateLimits = new MemoryRateLimitWindows(new MemoryWindows(new SystemClock()));

  async join(): Promise<StoreUnderTest> {
    return this;
  }

  async reopen(): Promise<StoreUnderTest> {
    return this;
  }

  async close(): Promise<void> {
    return undefined;
  }
}

export const model: Engine = {
  name: 'the model',
  instances: [1],
  open: async () => new ModelUnderTest(),
};
