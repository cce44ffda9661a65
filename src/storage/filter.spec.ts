import { type Filter, given, isCondition, readFilter } from './filter.js';

interface One {
  readonly name: string;
  readonly rank: number | null;
}

const at = new Date(0);

describe('readFilter', () => {
  it('has the comparisons of each part', () => {
    const filter: Filter<One> = {
      name: 'a',
      rank: { from: 1 },
      and: [{ name: { contains: '' } }],
      or: [{ rank: null }, {}],
    };
    const nothing = { comparisons: [], and: [], or: undefined };
    expect(readFilter(filter)).toEqual({
      comparisons: [
        ['name', 'a'],
        ['rank', { from: 1 }],
      ],
      and: [{ ...nothing, comparisons: [['name', { contains: '' }]] }],
      or: [{ ...nothing, comparisons: [['rank', null]] }, nothing],
    });
  });

  it.each([
    ...['', 'a', 0, null, at],
    ...[{ oneOf: [] }, { oneOf: ['a', 1, at] }, { not: null }],
    ...[
      { from: 1, before: at },
      { startsWith: '$ne', contains: '' },
    ],
  ])('takes a value or a condition: %j', (comparison) => {
    const filter = { name: comparison } as Filter<One>;
    expect(readFilter(filter).comparisons).toStrictEqual([['name', comparison]]);
  });

  it.each<unknown>([
    ...[undefined, true, 1n, Symbol('a'), () => 'a'],
    ...[{}, [], ['a'], new Map(), { $ne: null }, { $gt: '' }, { constructor: 1 }],
    ...[{ toString: () => 'a' }, JSON.parse('{"__proto__":1}') as unknown, { from: 1, $gt: 1 }],
    ...[{ oneOf: 'a' }, { oneOf: [null] }, { oneOf: [{}] }, { oneOf: undefined }, { not: 1 }],
    ...[
      { from: null },
      { before: undefined },
      { from: {} },
      { startsWith: '' },
      { startsWith: 1 },
      { contains: null },
    ],
  ])('rejects what is neither: case %#', (comparison) => {
    for (const filter of [
      { name: comparison },
      { and: [{ name: comparison }] },
      { or: [{}, { name: comparison }] },
    ]) {
      expect(() => readFilter(filter as Filter<One>)).toThrow(/^The field name is compared with /);
    }
  });
});

describe('isCondition', () => {
  it.each(['a', 1, null, at])('is false for the value %j', (value) => {
    expect(isCondition(value)).toBe(false);
  });
});

describe('given', () => {
  it('drops the comparisons with undefined, and no other', () => {
    const comparisons = { name: undefined, rank: null, text: '', number: 0 };
    expect(given(comparisons)).toStrictEqual({ rank: null, text: '', number: 0 });
  });
});
