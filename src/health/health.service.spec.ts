import type { Store } from '../storage/store.js';
import { HealthService } from './health.service.js';

const healthOf = (store: Pick<Store, 'ping'>) => new HealthService(store as Store);

const responding = { ping: () => Promise.resolve() };
const silent = { ping: () => new Promise<void>(() => undefined) };

describe('readiness', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('fails when the store has not responded within two seconds', async () => {
    const readiness = healthOf(silent).findFailure();
    jest.advanceTimersByTime(2000);
    expect(await readiness).toBe('STORE_UNAVAILABLE');
  });

  it('fails from the start of a shutdown, whether the store responds or not', async () => {
    const health = healthOf(responding);
    health.onModuleDestroy();
    expect(await health.findFailure()).toBe('SHUTTING_DOWN');
  });

  it.each([
    ['four times a second, however often it is requested', responding, 4],
    ['not again while a query is in progress', silent, 1],
  ])('queries the store %s', async (_how, { ping }, queries) => {
    const spy = jest.fn(ping);
    const health = healthOf({ ping: spy });
    for (let ms = 0; ms < 1000; ms++) {
      void health.findFailure();
      await jest.advanceTimersByTimeAsync(1);
    }
    expect(spy).toHaveBeenCalledTimes(queries);
  });
});
