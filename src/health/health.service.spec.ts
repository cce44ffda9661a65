import { HealthService } from './health.service.js';
import { StoreHealth } from './store-health.js';

class Store extends StoreHealth {
  constructor(override readonly ping: () => Promise<void>) {
    super();
  }
}

const answering = new Store(() => Promise.resolve());
const failing = new Store(() => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.5:27017')));
const throwing = new Store(() => {
  throw new Error('database is not open');
});
const silent = new Store(() => new Promise(() => undefined));

describe('readiness', () => {
  afterEach(() => jest.useRealTimers());

  it('is given while the store answers', async () => {
    await expect(new HealthService(answering).checkReadiness()).resolves.toBeUndefined();
  });

  it.each([
    ['refuses', failing],
    ['throws', throwing],
  ])('is refused while the store %s, without its words', async (_how, store) => {
    await expect(new HealthService(store).checkReadiness()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      fields: {},
    });
  });

  it('is refused when the store has not answered within two seconds', async () => {
    jest.useFakeTimers();
    const readiness = new HealthService(silent).checkReadiness();
    jest.advanceTimersByTime(2000);
    await expect(readiness).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', fields: {} });
  });

  it('comes back with the store', async () => {
    let isThere = false;
    const store = new Store(() => (isThere ? Promise.resolve() : Promise.reject(new Error())));
    const health = new HealthService(store);
    await expect(health.checkReadiness()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    isThere = true;
    await expect(health.checkReadiness()).resolves.toBeUndefined();
  });

  it('is refused from the beginning of a shutdown on, whatever the store says', async () => {
    const health = new HealthService(answering);
    health.onModuleDestroy();
    await expect(health.checkReadiness()).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
  });
});
