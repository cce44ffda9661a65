import { chooseIndex } from './choose-index.js';
import { collection, id, integer, type Stored, text } from './collection.js';
import { type Filter, readFilter } from './filter.js';

interface One extends Stored {
  readonly owner: string;
  readonly state: string;
  readonly name: string;
  readonly rank: number;
}

const ONES = collection<One>('ones', {
  fields: { _id: id(), owner: id(), state: text(), name: text(), rank: integer() },
  unique: [['name']],
  indexes: [
    ['owner', 'state', 'rank', '_id'],
    ['owner', 'rank', '_id'],
    ['owner', '_id'],
    ['rank'],
  ],
});

const RANGES = [{ from: 1 }, { before: 2 }, { from: 1, before: 2 }];

describe('chooseIndex', () => {
  const chosen = (filter: Filter<One>, by?: string) => chooseIndex(ONES, readFilter(filter), by);
  const owner = 'owner';

  describe('for a list', () => {
    it.each<[Filter<One>, string, string[]]>([
      [{ owner }, 'rank', ['owner', 'rank', '_id']],
      [{ owner, state: 'new' }, 'rank', ['owner', 'state', 'rank', '_id']],
      [{ owner, state: { oneOf: ['new'] } }, 'rank', ['owner', 'rank', '_id']],
      [
        { owner, name: { contains: 'a' }, or: [{ state: 'new' }] },
        'rank',
        ['owner', 'rank', '_id'],
      ],
      [
        { and: [{ owner }, { and: [{ state: 'new' }] }] },
        'rank',
        ['owner', 'state', 'rank', '_id'],
      ],
      [{ owner }, '_id', ['owner', '_id']],
      [{}, 'rank', ['rank']],
      [{ state: 'new' }, 'rank', ['rank']],
      [{ rank: 1 }, 'name', ['name']],
    ])(
      'by %j in the order of %s, is one with the values before the order',
      (filter, by, fields) => {
        expect(chosen(filter, by)).toEqual(fields);
      },
    );

    it('is none where it has all records by id, or those of ids', () => {
      expect(chosen({}, '_id')).toBeUndefined();
      expect(chosen({ and: [{}] }, '_id')).toBeUndefined();
      expect(chosen({ _id: 'id' }, 'rank')).toBeUndefined();
      expect(chosen({ _id: { oneOf: ['id'] }, state: 'new' }, 'state')).toBeUndefined();
    });

    it.each<[Filter<One>, string]>([
      [{}, 'state'],
      [{ owner: { oneOf: [owner] } }, 'state'],
      [{ or: [{ owner }, { owner: 'other' }] }, 'state'],
      [{ state: 'new' }, '_id'],
    ])('by %j in the order of %s, is missing: a bug', (filter, by) => {
      expect(() => chosen(filter, by)).toThrow(/^No index of ones serves /);
    });
  });

  describe('for a count', () => {
    it.each<[Filter<One>, string[]]>([
      [{ name: 'a' }, ['name']],
      [{ owner }, ['owner', 'state', 'rank', '_id']],
      [{ owner: { oneOf: [owner] } }, ['owner', 'state', 'rank', '_id']],
      [{ owner, state: { oneOf: ['new'] }, rank: 1 }, ['owner', 'state', 'rank', '_id']],
      ...RANGES.map((rank): [Filter<One>, string[]] => [{ owner, rank }, ['owner', 'rank', '_id']]),
      ...RANGES.map((rank): [Filter<One>, string[]] => [{ state: 'new', rank }, ['rank']]),
      [{ name: { startsWith: 'a' } }, ['name']],
    ])('by %j, is the one that begins with the most of its fields', (filter, fields) => {
      expect(chosen(filter)).toEqual(fields);
    });

    it('is none where it counts all records, or those of ids', () => {
      expect(chosen({})).toBeUndefined();
      expect(chosen({ _id: 'id', state: 'new' })).toBeUndefined();
    });

    it.each<Filter<One>>([
      { state: 'new' },
      { state: { from: 'a' } },
      { name: { contains: 'a' } },
      { name: { not: null } },
      { or: [{ name: 'a' }] },
      { and: [{ or: [{ owner }] }] },
    ])('by %j, is missing: a bug', (filter) => {
      expect(() => chosen(filter)).toThrow(/^No index of ones serves .*any order$/);
    });
  });
});
