import { aLabel, type Label, LABELS } from '../../../test/contract/records.js';
import { ModelStore } from '../../../test/contract/model-store.js';
import { insert } from '../changes.js';
import { verifyCopy } from './copy-to-mongo.js';

describe('verifyCopy', () => {
  const source = new ModelStore();
  let [a, b, c, d]: Label[] = [];
  beforeAll(async () => {
    await source.commit(['a', 'b', 'c', 'd'].map((_id) => insert(LABELS, aLabel(_id))));
    [a, b, c, d] = source.all(LABELS);
  });

  const verify = (copy: readonly Label[]) => {
    const target = {
      name: 'licenses',
      async *read() {
        yield* copy;
      },
    };
    return verifyCopy(source, target, [LABELS], () => undefined);
  };

  it('counts the records of a copy that has the same ones', async () => {
    expect(await verify([a!, b!, c!, d!])).toEqual({ labels: 4 });
  });

  it.each<[string, () => readonly Label[], string]>([
    ['lacks its first record', () => [b!, c!, d!], 'a'],
    ['lacks a record between others', () => [a!, c!, d!], 'b'],
    ['lacks its last record', () => [a!, b!, c!], 'd'],
    ['has one more before the others', () => [aLabel('0'), a!, b!, c!, d!], '0'],
    ['has one more between the others', () => [a!, b!, aLabel('b1'), c!, d!], 'b1'],
    ['has one more after the others', () => [a!, b!, c!, d!, aLabel('e')], 'e'],
    ['has another content in one record', () => [a!, b!, { ...c!, text: 'other' }, d!], 'c'],
  ])('rejects a copy that %s, and names the record', async (_what, copy, _id) => {
    await expect(verify(copy())).rejects.toThrow(
      `The copy differs from the store in ${_id} (labels): `,
    );
  });
});
