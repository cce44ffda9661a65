import { NOT_STORED } from '../../src/storage/collection.js';
import type { Random } from '../random.js';
import { at, type Item, type Label, type Shelf } from './records.js';

/** Few values, so that records often share one. */
const digits = (count: number) => Array.from({ length: count }, (_, index) => index.toString(16));
const idsOf = (prefix: string, count: number) =>
  digits(count).map((digit) => prefix.repeat(23) + digit);

export const ACCOUNTS = idsOf('a', 2);
export const SHELF_IDS = idsOf('b', 5);
export const ITEM_IDS = idsOf('c', 16).flatMap((_id) => [_id, `d${_id.slice(1)}`]);
export const TEXTS = [
  ...['', 'a', 'A', 'ab', 'a%b', 'a_b', 'a.b', '.*', '\\', "'", '[a]', '$ne', ' a'],
  ...['%', '_', '.', '?', '^a', `"; DROP TABLE items; --`, '0012 1e3 null NaN', ' \t\n'],
  ...['\u00e9', 'e\u0301', '\uffff', '\u{1f680}', '\u{10fffd}', '\ud7ff\ue000 \u202e\ufeff'],
];
export const STATES = ['new', 'old', 'sold'];
export const TIMES = [
  ...[new Date(-86_400_001), new Date(-86_400_000), new Date(-1), new Date(0)],
  ...[at(0), at(1), new Date(at(1).getTime() + 1), at(99)],
  ...[new Date('0000-01-01T00:00:00.000Z'), new Date('9999-12-31T23:59:59.999Z')],
];
const DATA = [
  ...[{}, { a: null }, [1, 'a', null, [], {}], { a: [{ b: { c: [[true, false, -0.5, '']] } }] }],
  { at: at(1), list: [at(2), { at: new Date(-1) }], text: at(1).toISOString() },
  // Like operators, times and ids of other formats.
  { $ne: null, 'a.b': 1, $date: at(1).toISOString(), '': { $: 0 } },
  ...[[{ $date: 0 }], { list: [{ $date: 1, $time: 2 }, ['$date', 0]] }],
  { id: 'a'.repeat(24), $oid: 'a'.repeat(24), _id: 1 },
];
const LARGE = [2 ** 31, -(2 ** 40), Number.MAX_SAFE_INTEGER];

/** Draws values of the fields of records. */
export class RandomValues {
  constructor(readonly random: Random) {}

  isOneIn(times: number): boolean {
    return this.random.between(1, times) === 1;
  }

  of<T>(values: readonly T[]): T {
    return this.random.of(values);
  }

  /** Mostly null. */
  orNull<T>(values: readonly T[]): T | null {
    return this.isOneIn(2) ? this.of(values) : null;
  }

  some<T>(values: readonly T[]): T[] {
    return Array.from({ length: this.random.between(0, 3) }, () => this.of(values));
  }

  rank(): number {
    return this.random.between(-1, 4);
  }

  /** The fields of an item that are not unique. */
  itemFields() {
    return {
      account: this.of(ACCOUNTS),
      state: this.of(STATES),
      rank: this.isOneIn(6) ? this.of(LARGE) : this.rank(),
      price: this.orNull([-1, 0, 1, 2, ...LARGE]),
      replaces: this.orNull(ITEM_IDS.slice(0, 3)),
      labels: this.some(TEXTS),
      isSold: this.isOneIn(2),
      sizes: this.some([0, -1, 2.5, ...LARGE]),
      details: this.of(DATA),
      note: this.orNull(DATA),
      soldAt: this.orNull(TIMES),
      createdAt: this.of(TIMES),
    };
  }

  item(_id = this.of(ITEM_IDS)): Item {
    const serial = this.isOneIn(5) ? this.of(TEXTS) : null;
    const texts = { name: this.of(TEXTS), serial };
    const code = this.isOneIn(10) ? this.of(TEXTS) : `code of ${this.random.next()}`;
    const unique = { shelf: this.of(SHELF_IDS), code, ...texts };
    return { _id, version: NOT_STORED, ...unique, ...this.itemFields() };
  }

  shelf(_id = this.of(SHELF_IDS)): Shelf {
    const label = this.orNull(TEXTS.slice(0, 4));
    const counters = { items: this.rank(), weight: this.rank() };
    const times = { checkedAt: this.orNull(TIMES), createdAt: this.of(TIMES) };
    const account = this.of(ACCOUNTS);
    return { _id, version: NOT_STORED, account, label, ...counters, ...times };
  }

  label(_id = this.of(TEXTS.slice(1))): Label {
    return { _id, version: NOT_STORED, text: this.of(TEXTS) };
  }
}
