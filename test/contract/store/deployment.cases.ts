import { engines } from '../engines.js';
import type { StoreUnderTest } from '../store-under-test.js';

describe.each(engines)('deployment on $name', ({ open }) => {
  let store: StoreUnderTest;
  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  it('has nothing before something was kept', async () => {
    expect(await store.deployment.find('data-keys')).toBeNull();
  });

  it('keeps the first value of an item, and returns it to later callers', async () => {
    expect(await store.deployment.keepFirst('data-keys', 'first')).toBe('first');
    expect(await store.deployment.keepFirst('data-keys', 'second')).toBe('first');
    expect(await store.deployment.find('data-keys')).toBe('first');
    expect(await store.deployment.find('machine-identity')).toBeNull();
  });

  it('keeps one value for all where 20 come at the same moment', async () => {
    const values = Array.from({ length: 20 }, (_, index) => `value ${index}`);
    const kept = await Promise.all(
      values.map((value) => store.deployment.keepFirst('machine-identity', value)),
    );
    expect(new Set(kept).size).toBe(1);
    expect(values).toContain(kept[0]);
    expect(await store.deployment.find('machine-identity')).toBe(kept[0]);
  });

  it('replaces a value that is the expected one, and no other', async () => {
    await store.deployment.keepFirst('data-keys', 'old');
    expect(await store.deployment.replace('data-keys', 'something else', 'new')).toBe(false);
    expect(await store.deployment.find('data-keys')).toBe('old');
    expect(await store.deployment.replace('data-keys', 'old', 'new')).toBe(true);
    expect(await store.deployment.find('data-keys')).toBe('new');
    expect(await store.deployment.replace('machine-identity', 'old', 'new')).toBe(false);
    expect(await store.deployment.find('machine-identity')).toBeNull();
  });

  it('lets one of 20 simultaneous replacements of a value win', async () => {
    await store.deployment.keepFirst('data-keys', 'old');
    const replaced = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.deployment.replace('data-keys', 'old', `new ${index}`),
      ),
    );
    expect(replaced.filter(Boolean)).toHaveLength(1);
    expect(await store.deployment.find('data-keys')).toBe(`new ${replaced.indexOf(true)}`);
  });

  it('responds to a ping', async () => {
    await expect(store.health.ping()).resolves.toBeUndefined();
  });
});
