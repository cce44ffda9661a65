import { changesOf, isOfTypes } from './event.js';

it.each([
  ['license.renewed', ['license.renewed'], true],
  ['license.renewed', ['client.*', 'license.*'], true],
  ['license.renewed', ['*'], true],
  ['license.renewed', ['license.revoked', 'client.*'], false],
  ['license.renewed', [], false],
] as const)('%s is one of %j: %s', (type, patterns, expected) => {
  expect(isOfTypes(type, patterns)).toBe(expected);
});

it('an update shows the fields that differ, before and after', () => {
  const before = { name: 'Web shop', tags: ['a'], product: null as string | null, owner: 1 };
  const after = { name: 'Gift shop', tags: ['a'], product: 'shop', owner: 2 };
  expect(changesOf(before, after, ['name', 'tags', 'product'])).toEqual({
    ...{ name: ['Web shop', 'Gift shop'], product: [null, 'shop'] },
  });
});
