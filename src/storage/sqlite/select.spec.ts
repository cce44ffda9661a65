import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { ACCOUNT, anItem, at, type Item, ITEMS, SHELF } from '../../../test/contract/records.js';
import { type Filter, readFilter } from '../filter.js';
import type { Order } from '../store.js';
import { Codec } from './codec.js';
import { bringUpToDate } from './schema.js';
import { selectCount, selectCountBy, selectList, selectNewestOf, type Sql } from './select.js';

const codec = new Codec(ITEMS);
const account = ACCOUNT;

describe('a statement', () => {
  let database: DatabaseSyncInstance;
  let rowsRead: number;

  beforeEach(() => {
    database = new DatabaseSync(':memory:');
    bringUpToDate(database, [ITEMS]);
    rowsRead = 0;
    database.function('in_time', () => (rowsRead += 1));
  });
  afterEach(() => database.close());

  const planOf = ({ sql, parameters }: Sql) =>
    (database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[]).map(
      ({ detail }) => detail,
    );
  const list = (filter: Filter<Item>, order: Order<Item>, after?: Date) =>
    selectList(codec, readFilter(filter), order, {
      limit: 10,
      after: after && { value: after, _id: 'a' },
    });

  it.each([
    ['asc', '(createdAt,_id)>(?,?)', 'createdAt<?'],
    ['desc', '(createdAt,_id)<(?,?)', 'createdAt>?'],
  ] as const)('that lists records uses an index in sort order, %s', (direction, position, end) => {
    const order = { by: 'createdAt', direction } as const;
    const or: Filter<Item>[] = [{ price: null }, { price: 1, rank: 2 }];
    const whole = planOf(list({ account, state: 'new', or }, order));
    expect(whole[0]).toContain('items_by_account_state_createdAt__id (account=? AND state=?)');
    expect(whole.join()).not.toContain('TEMP B-TREE');
    // A later page of a range starts at its position and ends at the end of the range.
    const [from, before] = [at(1), at(9)];
    const parts = [{ createdAt: { from } }, { createdAt: { before } }];
    for (const range of [{ createdAt: { from, before } }, { and: parts }]) {
      const [page, ...others] = planOf(list({ account, ...range }, order, at(5)));
      expect(others).toEqual([]);
      expect(page).toContain(position);
      expect(page).toContain(end);
    }
  });

  it('checks the deadline on each row it reads, selected or not', () => {
    const insert = `INSERT INTO items (${codec.columnList}) VALUES (${codec.columns.map(() => '?').join()})`;
    for (let index = 0; index < 30; index++)
      database.prepare(insert).run(...codec.encode(anItem()));
    const filter: Filter<Item> = { account, replaces: 'none', and: [{ or: [{ rank: 0 }] }] };
    for (const { sql, parameters } of [
      list(filter, { by: 'createdAt', direction: 'asc' }),
      selectCount(codec, readFilter(filter), 5),
      selectCountBy(codec, readFilter(filter), 'state', undefined),
      selectNewestOf(codec, readFilter(filter), 'shelf', [SHELF], 2),
    ]) {
      rowsRead = 0;
      database.prepare(sql).all(...parameters);
      expect([sql, rowsRead]).toEqual([sql, 30]);
    }
  });

  it('has the same text for all values of a filter shape', () => {
    const order = { by: 'createdAt', direction: 'asc' } as const;
    const textOf = (values: string[], day: number) =>
      list(
        { account: values[0]!, state: { oneOf: values }, name: { startsWith: values[0]! } },
        order,
        at(day),
      ).sql;
    expect(textOf(['a'], 1)).toBe(textOf(["b'", 'c', 'd'], 2));
  });
});
