import type { Store } from '../storage/store.js';
import { HealthService } from './health.service.js';

const healthOf = (store: Pick<Store, 'ping'>) => new HealthService(store as Store);

const responding = { ping: () => Promise.resolve() };
const silent = { ping: () => new Promise<void>(() => undefined) };

describe('readiness', () => {
  let now: number;
  beforeEach(() => {
    now = 0;
    jest.useFakeTimers({ doNotFake: ['performance'] });
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

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

  it('queries the store four times a second, however often it is requested', async () => {
    const ping = jest.fn(() => Promise.resolve());
    const health = healthOf({ ping });
    for (now = 0; now < 1000; now++) await health.findFailure();
    expect(ping).toHaveBeenCalledTimes(4);
  });

  it('does not query a slow store again while a query is in progress', async () => {
    const ping = jest.fn(() => new Promise<void>(() => undefined));
    const health = healthOf({ ping });
    for (now = 0; now < 1000; now++) void health.findFailure();
    expect(ping).toHaveBeenCalledTimes(1);
  });
});
