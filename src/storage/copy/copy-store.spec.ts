import { aLabel, type Label, LABELS } from '../../../test/contract/records.js';
import { verifyCopy } from './copy-store.js';

describe('verifyCopy', () => {
  const store = ['a', 'b', 'c', 'd'].map(aLabel);
  const [a, b, c, d] = store as [Label, Label, Label, Label];

  const verify = (copy: readonly Label[]) => {
    const source = {
      collections: [LABELS],
      count: () => store.length,
      *pages() {
        yield [a, b];
        yield [c, d];
      },
    };
    const target = {
      name: 'licenses',
      insert: () => Promise.reject(new Error('It inserts nothing')),
      async *read() {
        yield* copy;
      },
    };
    return verifyCopy(source, target, { begin: () => undefined, add: () => undefined });
  };

  it('counts the records of a copy that has the same ones', async () => {
    expect(await verify(store)).toEqual({ labels: 4 });
  });

  it.each<[string, readonly Label[], string]>([
    ['lacks its first record', [b, c, d], 'a'],
    ['lacks a record between others', [a, c, d], 'b'],
    ['lacks its last record', [a, b, c], 'd'],
    ['has one more before the others', [aLabel('0'), ...store], '0'],
    ['has one more between the others', [a, b, aLabel('b1'), c, d], 'b1'],
    ['has one more after the others', [...store, aLabel('e')], 'e'],
    ['has another content in one record', [a, b, { ...c, text: 'other' }, d], 'c'],
  ])('rejects a copy that %s, and names the record', async (_what, copy, _id) => {
    await expect(verify(copy)).rejects.toThrow(
      `The copy differs from the store in ${_id} (labels): `,
    );
  });
});
