import { setImmediate } from 'node:timers/promises';
import { BackgroundWorker } from './background-worker.js';

/** Wakes itself during its first step. */
class Worker extends BackgroundWorker {
  steps = 0;

  constructor() {
    super({ interval: 60_000, pause: 0 });
  }

  async step(): Promise<boolean> {
    this.steps += 1;
    if (this.steps === 1) this.wake();
    return false;
  }
}

it('A worker that is woken during a step takes the next step at once', async () => {
  const worker = new Worker();
  worker.onApplicationBootstrap();
  await setImmediate();
  expect(worker.steps).toBe(2);
  await worker.beforeApplicationShutdown();
});
