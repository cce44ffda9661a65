import { mongo } from 'mongoose';
import { collection, id, type Stored, text, time } from '../../collection.js';
import { type Filter, readFilter } from '../../filter.js';
import { Codec } from './codec.js';
import { comesAfter, hintOf, toMongoFilter } from './filters.js';

interface Note extends Stored {
  readonly account: string;
  readonly text: string;
  readonly label: string | null;
  readonly at: Date;
}

const NOTES = collection<Note>('notes', {
  fields: { _id: id(), account: id(), text: text(), label: text().nullable(), at: time() },
  unique: [['label'], ['text']],
  indexes: [['account', 'at', '_id']],
});
const codec = new Codec(NOTES);
const account = 'a'.repeat(24);
const at = new Date(5);

describe('the filter of a statement', () => {
  const toMongo = (filter: Filter<Note>) => toMongoFilter(codec, readFilter(filter));

  it.each<[string, Filter<Note>, object]>([
    ['nothing', {}, {}],
    ['an id', { account }, { account: { $eq: new mongo.ObjectId(account) } }],
    ['null', { label: null }, { label: { $eq: null } }],
    ['any value', { label: { not: null } }, { label: { $ne: null } }],
    ['some values', { text: { oneOf: ['a', 'b'] } }, { text: { $in: ['a', 'b'] } }],
    ['a beginning', { text: { startsWith: 'a' } }, { text: { $gte: 'a', $lt: 'b' } }],
    ['a part', { text: { contains: '.*\0$' } }, { text: { $regex: '\\.\\*\\x00\\$' } }],
    [
      'two bounds',
      { at: { from: at, before: at } },
      { $and: [{ at: { $gte: at } }, { at: { $lt: at } }] },
    ],
    [
      'one of some filters, each of them',
      { text: 'a', and: [{ label: 'b' }], or: [{ at }, { text: 'c' }] },
      {
        $and: [
          { text: { $eq: 'a' } },
          { label: { $eq: 'b' } },
          { $or: [{ at: { $eq: at } }, { text: { $eq: 'c' } }] },
        ],
      },
    ],
    ['one of no filters', { or: [] }, { _id: { $in: [] } }],
  ])('compares with %s', (_, filter, expected) => {
    expect(toMongo(filter)).toEqual(expected);
  });

  it('rejects a field that is not declared', () => {
    expect(() => toMongo({ $where: 'true' } as never)).toThrow('$where of notes is not declared');
  });

  it('begins after a position in either direction', () => {
    const _id = 'b'.repeat(24);
    const position = { value: at, _id };
    const after = { _id: { $lt: new mongo.ObjectId(_id) } };
    expect(comesAfter(codec, { by: '_id', direction: 'desc' }, position)).toEqual(after);
    expect(comesAfter(codec, { by: 'at', direction: 'desc' }, position)).toEqual({
      $and: [{ at: { $lte: at } }, { $or: [{ at: { $lt: at } }, { at: { $eq: at }, ...after }] }],
    });
  });
});

describe('the index of a read', () => {
  const hint = (filter: Filter<Note>, by?: string) => hintOf(NOTES, readFilter(filter), by);

  it('is the one that is chosen by the declaration', () => {
    expect(hint({ account }, 'at')).toBe('notes_by_account_at__id');
    expect(hint({ text: 'a' })).toBe('notes_by_text');
    expect(hint({}, '_id')).toBe('_id_');
  });

  it('is left to the server where the chosen one lacks records with null', () => {
    expect(hint({ label: 'a' })).toBeUndefined();
  });
});
