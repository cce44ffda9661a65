import { mongo } from 'mongoose';
import { type Change, increment, insert, remove, replace, touch } from '../../changes.js';
import { collection, id, integer, type Stored, text } from '../../collection.js';
import { Codec } from '../documents/codec.js';
import type { Documents } from '../documents/documents.js';
import { isOfRecord, merged, operationOf, type RecordOperation } from './operation.js';

interface Counter extends Stored {
  readonly name: string | null;
  readonly hits: number;
  readonly misses: number;
}

const COUNTERS = collection<Counter>('counters', {
  fields: { _id: id(), name: text().nullable(), hits: integer(), misses: integer() },
  unique: [['name']],
});
const _id = 'a'.repeat(24);
const counter: Counter = { _id, version: 7, name: 'one', hits: 1, misses: 1 };

const operation = (change: Change): RecordOperation => {
  const documents = { codec: new Codec(COUNTERS) } as unknown as Documents;
  const made = operationOf(change, documents);
  if (!isOfRecord(made)) throw new Error('It is not of one record');
  return made;
};
const sharesOf = (...changes: Change[]) =>
  changes.map((change) => operation(change).uses[0]!.share);

describe('the operation of a change', () => {
  it('gives each record a version of its own', () => {
    const [one, other] = [operation(insert(COUNTERS, counter)), operation(touch(COUNTERS, _id))];
    expect(one.version).not.toBe(counter.version);
    expect(one.update).toEqual({
      ...counter,
      _id: new mongo.ObjectId(_id),
      version: one.version,
    });
    expect(other.update).toEqual([{ $set: { version: other.version } }]);
  });

  it('leaves fields of a record as they are that this program does not know', () => {
    const { update } = operation(replace(COUNTERS, counter, { ...counter, hits: 2 }));
    expect(Object.keys(update)).toEqual(['$set']);
    expect(Object.keys(update.$set as object)).toEqual(['name', 'hits', 'misses', 'version']);
  });

  it('uses the unique values before and after it, but for null', () => {
    const usesOf = (change: Change) => operation(change).uses.map(({ name }) => name);
    const record = `counters ${_id}`;
    const [one, other] = ['one', 'other'].map((name) => `counters [["name","${name}"]]`);
    expect(usesOf(insert(COUNTERS, counter))).toEqual([record, one]);
    expect(usesOf(remove(COUNTERS, counter))).toEqual([record, one]);
    const after = { ...counter, name: 'other' };
    expect(usesOf(replace(COUNTERS, counter, after))).toEqual([record, one, other]);
    expect(usesOf(insert(COUNTERS, { ...counter, name: null }))).toEqual([record]);
    expect(usesOf(touch(COUNTERS, _id))).toEqual([record]);
  });
});

describe('increments of a record', () => {
  it('share it where they have the same condition', () => {
    const [one, same, other] = sharesOf(
      touch(COUNTERS, _id),
      increment(COUNTERS, _id, { hits: -1 }),
      increment(COUNTERS, _id, { hits: 1 }, { where: { name: null } }),
    );
    expect(one).toBeDefined();
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });

  it('do not share it where the order in which they are made could matter', () => {
    const bounded = (hits: number) => increment(COUNTERS, _id, { hits }, { atMost: { hits: 3 } });
    expect(sharesOf(bounded(1), bounded(-1))).toEqual([expect.any(String), undefined]);
    expect(sharesOf(insert(COUNTERS, counter), remove(COUNTERS, counter))).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('are merged into their sum, within the least of their bounds', () => {
    const all = [
      increment(COUNTERS, _id, { hits: 2 }, { atMost: { hits: 9, misses: 4 } }),
      touch(COUNTERS, _id),
      increment(COUNTERS, _id, { hits: 1, misses: -3 }),
      increment(COUNTERS, _id, { hits: 1 }, { atMost: { hits: 8 } }),
    ];
    const { change, filter } = merged(all.map(operation));
    expect(change).toMatchObject({
      by: { hits: 4, misses: -3 },
      atMost: { hits: 8, misses: 4 },
    });
    expect(filter).toEqual({
      $and: [
        { _id: { $eq: new mongo.ObjectId(_id) } },
        { hits: { $not: { $gt: 4 } } },
        { misses: { $not: { $gt: 7 } } },
      ],
    });
  });
});
