import { collection, type Stored, field } from './collection.js';
import { chooseIndex, type Filter, prefixRange, readFilter } from './filter.js';

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
  ])('accepts a value or a condition: %j', (comparison) => {
    const filter = { name: comparison } as Filter<One>;
    expect(readFilter(filter).comparisons).toStrictEqual([['name', comparison]]);
  });

  it.each<unknown>([
    ...[undefined, 1n, Symbol('a'), () => 'a'],
    ...[{}, [], ['a'], new Map(), { $ne: null }, { $gt: '' }, { constructor: 1 }],
    ...[{ toString: () => 'a' }, JSON.parse('{"__proto__":1}') as unknown, { from: 1, $gt: 1 }],
    ...[{ oneOf: 'a' }, { oneOf: [null] }, { oneOf: [{}] }, { oneOf: undefined }, { not: 1 }],
    ...[{ from: null }, { before: undefined }, { from: {} }],
    ...[
      { startsWith: '' },
      { startsWith: 1 },
      { contains: null },
      { has: null },
      { has: ['a'] },
      { has: ['a', 1] },
    ],
  ])('rejects anything else: case %#', (comparison) => {
    const one = { name: comparison };
    for (const filter of [one, { and: [one] }, { or: [{}, one] }]) {
      expect(() => readFilter(filter as Filter<One>)).toThrow(/^The field name is compared with /);
    }
  });
});

it('prefixRange contains exactly the texts that start with the prefix, in UTF-8 byte order', () => {
  // The two code points after the last one are noncharacters.
  const last = '\u{10fffd}';
  const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const ends = ['a', 'z', 'ß', '\ud7ff', '\ue000', '\ufffd', '\u{10000}', '🚀', '\u{10fffc}', last];
  const prefixes = ends.flatMap((one) => [one, ...ends.map((other) => one + other)]);
  const texts = prefixes.flatMap((prefix) => [prefix, `${prefix}a`, `${prefix}${last}`]);
  const wrong = prefixes.flatMap((prefix) => {
    const { from, until } = prefixRange(prefix);
    const isInRange = (text: string) => compare(text, from) >= 0 && compare(text, until) < 0;
    return texts.filter((text) => isInRange(text) !== text.startsWith(prefix));
  });
  expect(wrong).toEqual([]);
});

interface Indexed extends Stored {
  readonly owner: string;
  readonly state: string;
  readonly name: string;
  readonly rank: number;
}

const INDEXED = collection<Indexed>('ones', {
  fields: {
    _id: field.id(),
    owner: field.id(),
    state: field.text(),
    name: field.text(),
    rank: field.integer(),
  },
  unique: [['name'], ['rank', 'name']],
  indexes: [
    ['owner', 'state', 'rank', '_id'],
    ['owner', 'rank', '_id'],
    ['owner', '_id'],
    ['rank', '_id'],
  ],
});

describe('chooseIndex', () => {
  const chosen = (filter: Filter<Indexed>, by?: string) =>
    chooseIndex(INDEXED, readFilter(filter), by);
  const owner = 'owner';

  it.each<[Filter<Indexed>, string, string | undefined]>([
    [{ owner }, 'rank', 'owner rank _id'],
    [{ owner, state: 'new' }, 'rank', 'owner state rank _id'],
    [{ owner, state: { oneOf: ['new'] } }, 'rank', 'owner rank _id'],
    [{ owner, name: { contains: 'a' }, or: [{ state: 'new' }] }, 'rank', 'owner rank _id'],
    [{ and: [{ owner }, { and: [{ state: 'new' }] }] }, 'rank', 'owner state rank _id'],
    [{ owner }, '_id', 'owner _id'],
    [{ state: 'new' }, 'rank', 'rank _id'],
    [{ rank: 1 }, 'name', 'name'],
    [{ and: [{}] }, '_id', undefined],
    [{ _id: { oneOf: ['id'] }, state: 'new' }, 'state', undefined],
  ])('lists %j sorted by %s with the index %s', (filter, by, index) => {
    expect(chosen(filter, by)?.join(' ')).toEqual(index);
  });

  it.each<[Filter<Indexed>, string | undefined]>([
    [{ name: 'a' }, 'name'],
    [{ owner: { oneOf: [owner] } }, 'owner state rank _id'],
    [{ owner, state: { oneOf: ['new'] }, rank: 1 }, 'owner state rank _id'],
    [{ owner, rank: { from: 1, before: 2 } }, 'owner rank _id'],
    [{ state: 'new', rank: { before: 2 } }, 'rank name'],
    [{ name: { startsWith: 'a' } }, 'name'],
    [{}, undefined],
    [{ _id: 'id', state: 'new' }, undefined],
  ])('counts %j with the index that starts with the most of its fields: %s', (filter, index) => {
    expect(chosen(filter)?.join(' ')).toEqual(index);
  });

  it.each<[Filter<Indexed>, string | undefined]>([
    [{ or: [{ owner }, { owner: 'other' }] }, 'state'],
    [{ state: 'new' }, '_id'],
    [{ state: { from: 'a' } }, undefined],
    [{ name: { contains: 'a' } }, undefined],
    [{ name: { not: null } }, undefined],
    [{ and: [{ or: [{ owner }] }] }, undefined],
    // More cases are in test/contract/store/commits.cases.ts.
  ])('rejects %j sorted by %s, which no index serves', (filter, by) => {
    expect(() => chosen(filter, by)).toThrow(/^No index of ones serves /);
  });
});
