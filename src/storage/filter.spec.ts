import { type Filter, readFilter } from './filter.js';

interface One {
  readonly name: string;
  readonly rank: number | null;
}

const at = new Date(0);

describe('readFilter', () => {
  it.each([
    ...['', 'a', 0, true, false, null, at],
    ...[{ oneOf: [] }, { oneOf: ['a', 1, at] }, { not: null }],
    ...[
      { from: 1, before: at },
      { startsWith: '$ne', contains: '' },
    ],
    ...[{ has: 'a' }, { has: 1 }],
  ])('takes a value or a condition: %j', (comparison) => {
    const filter = { name: comparison } as Filter<One>;
    expect(readFilter(filter).comparisons).toStrictEqual([['name', comparison]]);
  });

  it.each<unknown>([
    ...[undefined, 1n, Symbol('a'), () => 'a'],
    ...[{}, [], ['a'], new Map(), { $ne: null }, { $gt: '' }, { constructor: 1 }],
    ...[{ toString: () => 'a' }, JSON.parse('{"__proto__":1}') as unknown, { from: 1, $gt: 1 }],
    ...[{ oneOf: 'a' }, { oneOf: [null] }, { oneOf: [{}] }, { oneOf: undefined }, { not: 1 }],
    ...[{ from: null }, { before: undefined }, { from: {} }],
    ...[{ startsWith: '' }, { startsWith: 1 }, { contains: null }, { has: null }, { has: ['a'] }],
  ])('rejects what is neither: case %#', (comparison) => {
    const one = { name: comparison };
    for (const filter of [one, { and: [one] }, { or: [{}, one] }]) {
      expect(() => readFilter(filter as Filter<One>)).toThrow(/^The field name is compared with /);
    }
  });
});
