import { ModelStore } from '../../../test/contract/model-store.js';
import { DeploymentItems } from './deployment-items.js';

describe('DeploymentItems', () => {
  let items: DeploymentItems;
  beforeEach(() => {
    items = new DeploymentItems(new ModelStore());
  });

  const twenty = <T>(call: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 20 }, (_, index) => call(index)));

  it('finds no item before it is stored', async () => {
    expect(await items.find('data-keys')).toBeNull();
  });

  it('keeps the first value of an item, and returns it to later callers', async () => {
    expect(await items.findOrCreate('data-keys', () => 'first')).toBe('first');
    expect(await items.findOrCreate('data-keys', () => 'second')).toBe('first');
    expect(await items.find('data-keys')).toBe('first');
    expect(await items.find('machine-identity')).toBeNull();
  });

  it('keeps one of 20 values that are stored at the same time', async () => {
    const kept = await twenty((index) => items.findOrCreate('data-keys', () => `value ${index}`));
    expect(kept).toStrictEqual(Array(20).fill(await items.find('data-keys')));
  });

  it('replaces a value by one of 20 at the same time, and only if it is the expected one', async () => {
    expect(await items.replace('data-keys', 'old', 'new')).toBe(false);
    await items.findOrCreate('data-keys', () => 'old');
    expect(await items.replace('data-keys', 'something else', 'new')).toBe(false);
    const replaced = await twenty((index) => items.replace('data-keys', 'old', `new ${index}`));
    expect(replaced.filter(Boolean)).toHaveLength(1);
    expect(await items.find('data-keys')).toBe(`new ${replaced.indexOf(true)}`);
  });
});
