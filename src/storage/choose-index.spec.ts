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
  unique: [['name'], ['rank', 'name']],
  indexes: [
    ['owner', 'state', 'rank', '_id'],
    ['owner', 'rank', '_id'],
    ['owner', '_id'],
    ['rank', '_id'],
  ],
});

describe('chooseIndex', () => {
  const chosen = (filter: Filter<One>, by?: string) => chooseIndex(ONES, readFilter(filter), by);
  const owner = 'owner';

  it.each<[Filter<One>, string, string | undefined]>([
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
  ])('lists by %j in the order of %s by: %s', (filter, by, index) => {
    expect(chosen(filter, by)?.join(' ')).toEqual(index);
  });

  it.each<[Filter<One>, string | undefined]>([
    [{ name: 'a' }, 'name'],
    [{ owner: { oneOf: [owner] } }, 'owner state rank _id'],
    [{ owner, state: { oneOf: ['new'] }, rank: 1 }, 'owner state rank _id'],
    [{ owner, rank: { from: 1, before: 2 } }, 'owner rank _id'],
    [{ state: 'new', rank: { before: 2 } }, 'rank name'],
    [{ name: { startsWith: 'a' } }, 'name'],
    [{}, undefined],
    [{ _id: 'id', state: 'new' }, undefined],
  ])('counts by %j by the index that begins with most of its fields: %s', (filter, index) => {
    expect(chosen(filter)?.join(' ')).toEqual(index);
  });

  it.each<[Filter<One>, string | undefined]>([
    [{ or: [{ owner }, { owner: 'other' }] }, 'state'],
    [{ state: 'new' }, '_id'],
    [{ state: { from: 'a' } }, undefined],
    [{ name: { contains: 'a' } }, undefined],
    [{ name: { not: null } }, undefined],
    [{ and: [{ or: [{ owner }] }] }, undefined],
    // More of them have their cases in test/contract/store/commits.cases.ts.
  ])('rejects %j in the order of %s, which no index serves', (filter, by) => {
    expect(() => chosen(filter, by)).toThrow(/^No index of ones serves /);
  });
});
