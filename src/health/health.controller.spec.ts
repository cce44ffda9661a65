import type { Store } from '../storage/store.js';
import { HealthController } from './health.controller.js';

const healthOf = (store: Pick<Store, 'ping'>) => new HealthController(store as Store);

const responding = { ping: () => Promise.resolve() };
const silent = { ping: () => new Promise<void>(() => undefined) };

describe('readiness', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('fails when the store has not responded within two seconds', async () => {
    const readiness = healthOf(silent).getReadiness();
    jest.advanceTimersByTime(2000);
    await expect(readiness).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  it('fails from the start of a shutdown, whether or not the store responds', async () => {
    const health = healthOf(responding);
    health.onModuleDestroy();
    await expect(health.getReadiness()).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
  });

  it.each([
    ['four times a second, however often it is requested', responding, 4],
    ['not again while a query is in progress', silent, 1],
  ])('queries the store %s', async (_how, { ping }, queries) => {
    const spy = jest.fn(ping);
    const health = healthOf({ ping: spy });
    for (let ms = 0; ms < 1000; ms++) {
      void health.getReadiness();
      await jest.advanceTimersByTimeAsync(1);
    }
    expect(spy).toHaveBeenCalledTimes(queries);
  });
});
