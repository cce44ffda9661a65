import { mongo } from 'mongoose';
import {
  collection,
  id,
  integer,
  json,
  list,
  NOT_STORED,
  type Stored,
  text,
  time,
} from '../../collection.js';
import { Codec } from './codec.js';

interface Thing extends Stored {
  readonly parent: string | null;
  readonly name: string;
  readonly at: Date;
  readonly sizes: readonly number[];
  readonly details: object;
  readonly grade: number | null;
}

const THINGS = collection<Thing>('things', {
  fields: {
    ...{ _id: id(), parent: id().nullable(), name: text(), at: time(), sizes: list<number>() },
    ...{ details: json(), grade: integer().nullable().since(3) },
  },
});
const _id = 'a'.repeat(24);
const thing: Thing = {
  ...{ _id, version: NOT_STORED, parent: 'b'.repeat(24), name: 'name', at: new Date(5) },
  ...{ sizes: [1, 2], details: { at: new Date(6), none: null, [`$`]: ['a.b'] }, grade: 1 },
};

describe('Codec', () => {
  const codec = new Codec(THINGS);

  it('stores ids as object ids, and everything else as it is', () => {
    const { parent } = thing;
    const document = codec.encode(thing, 9);
    expect(document).toEqual({
      ...thing,
      ...{ _id: new mongo.ObjectId(_id), parent: new mongo.ObjectId(parent!), version: 9 },
    });
    expect(codec.decode(document)).toEqual({ ...thing, version: 9 });
  });

  it('reads a missing field as its initial value, and null as null', () => {
    const stored = { _id: new mongo.ObjectId(_id), grade: null, later: 'unknown' };
    expect(codec.decode(stored)).toMatchObject({ _id, parent: null, grade: null });
    expect(codec.decode({ _id: 'text' })).toMatchObject({ _id: 'text', grade: 3 });
    expect(codec.decode(stored)).not.toHaveProperty('later');
  });

  it.each<[string, Partial<Thing>, string]>([
    ['is missing', { name: undefined as never }, 'The field name of things is undefined'],
    ['has no part', { details: { a: [undefined] } }, 'The field details of things is undefined'],
    ['cannot be null', { at: null as never }, 'The field at of things is null'],
  ])('rejects a value that %s', (_, fields, message) => {
    expect(() => codec.encode({ ...thing, ...fields }, 9)).toThrow(message);
  });

  it('rejects a field that is not declared', () => {
    expect(() => codec.encodeValue('$where', '1')).toThrow('$where of things is not declared');
    expect(() => codec.encodeSome({ other: 1 })).toThrow('other of things is not declared');
  });
});
