import { engines } from '../engines.js';
import { twenty } from '../race.js';
import { useStore } from '../use-store.js';

describe.each(engines)('deployment on $name', ({ open }) => {
  const { store } = useStore(open, { forEachTest: true });

  it('has no item before it is stored', async () => {
    expect(await store.deployment.find('data-keys')).toBeNull();
  });

  it('keeps the first value of an item, and returns it to later callers', async () => {
    expect(await store.deployment.keepFirst('data-keys', 'first')).toBe('first');
    expect(await store.deployment.keepFirst('data-keys', 'second')).toBe('first');
    expect(await store.deployment.find('data-keys')).toBe('first');
    expect(await store.deployment.find('machine-identity')).toBeNull();
  });

  it('keeps one of 20 values that are stored at the same time', async () => {
    const kept = await twenty((index) =>
      store.deployment.keepFirst('machine-identity', `value ${index}`),
    );
    expect(new Set(kept).size).toBe(1);
    expect(kept[0]).toMatch(/^value \d+$/);
    expect(await store.deployment.find('machine-identity')).toBe(kept[0]);
  });

  it('replaces a value only if it is the expected one', async () => {
    await store.deployment.keepFirst('data-keys', 'old');
    expect(await store.deployment.replace('data-keys', 'something else', 'new')).toBe(false);
    expect(await store.deployment.find('data-keys')).toBe('old');
    expect(await store.deployment.replace('data-keys', 'old', 'new')).toBe(true);
    expect(await store.deployment.find('data-keys')).toBe('new');
    expect(await store.deployment.replace('machine-identity', 'old', 'new')).toBe(false);
    expect(await store.deployment.find('machine-identity')).toBeNull();
  });

  it('replaces a value by one of 20 simultaneous replacements', async () => {
    await store.deployment.keepFirst('data-keys', 'old');
    const replaced = await twenty((index) =>
      store.deployment.replace('data-keys', 'old', `new ${index}`),
    );
    expect(replaced.filter(Boolean)).toHaveLength(1);
    expect(await store.deployment.find('data-keys')).toBe(`new ${replaced.indexOf(true)}`);
  });

  it('responds to a ping', async () => {
    await expect(store.health.ping()).resolves.toBeUndefined();
  });
});
