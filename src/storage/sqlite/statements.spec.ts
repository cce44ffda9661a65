import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { ACCOUNT, anItem, at, type Item, ITEMS, SHELF } from '../../../test/contract/records.js';
import { type Filter, readFilter } from '../filter.js';
import type { Order } from '../store.js';
import { Codec } from './codec.js';
import type { Sql } from './conditions.js';
import { schemaChanges } from './schema.js';
import {
  readerOf,
  selectCount,
  selectCountBy,
  selectIds,
  selectList,
  selectNewestOf,
} from './statements.js';

const codec = new Codec(ITEMS);
const account = ACCOUNT;

describe('a statement', () => {
  let database: DatabaseSyncInstance;
  let rowsRead: number;

  beforeEach(() => {
    database = new DatabaseSync(':memory:');
    database.exec(schemaChanges(database, [ITEMS]).missing.join(';'));
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

  describe.each(['asc', 'desc'] as const)('that lists, %s', (direction) => {
    const sorted = (by: Order<Item>['by']) => ({ by, direction });
    const range = { from: at(1), before: at(9) };

    it.each<[string, Filter<Item>, Order<Item>['by'], string]>([
      ['an account', { account }, 'createdAt', 'items_by_account_createdAt__id (account=?)'],
      ['a range', { account, createdAt: range }, 'createdAt', 'items_by_account_createdAt__id ('],
      [
        'a state and more',
        { account, state: 'new', or: [{ price: null }, { price: 1, rank: 2 }] },
        'createdAt',
        'items_by_account_state_createdAt__id (account=? AND state=?)',
      ],
      [
        'one of several states',
        { account, state: { oneOf: ['new'] } },
        'createdAt',
        'items_by_account_createdAt__id (account=?)',
      ],
      ['a nullable field', { account }, 'soldAt', 'items_by_account_soldAt (account=?)'],
    ])('%s searches an index that sorts', (_of, filter, by, index) => {
      const [step, ...others] = planOf(list(filter, sorted(by)));
      expect(step).toContain(`SEARCH items USING INDEX ${index}`);
      expect(others.join()).not.toContain('TEMP B-TREE');
    });

    it('a later page of a range begins at its position, and ends at the end of the range', () => {
      const page = list({ account, createdAt: range }, sorted('createdAt'), at(5));
      const [position, end] =
        direction === 'asc'
          ? ['(createdAt,_id)>(?,?)', 'createdAt<?']
          : ['(createdAt,_id)<(?,?)', 'createdAt>?'];
      expect(planOf(page)).toHaveLength(1);
      expect(planOf(page)[0]).toContain(position);
      expect(planOf(page)[0]).toContain(end);
    });
  });

  it('that counts searches the index with most of the fields', () => {
    const filter = { account, state: 'new', rank: { from: 1 } };
    expect(planOf(selectCount(codec, readFilter<Item>(filter), undefined))).toEqual([
      'SEARCH items USING COVERING INDEX items_by_account_state_rank__id (account=? AND state=? AND rank>?)',
    ]);
  });

  it('that counts by a field reads an index alone', () => {
    const byState = selectCountBy(codec, readFilter<Item>({ account }), 'state', undefined);
    expect(planOf(byState)[0]).toContain(
      'SEARCH items USING COVERING INDEX items_by_account_state',
    );
    const filter = readFilter<Item>({ account, soldAt: { from: at(0) } });
    expect(planOf(selectCountBy(codec, filter, 'soldAt', 60_000))[0]).toContain(
      'COVERING INDEX items_by_account_soldAt (account=? AND soldAt>?)',
    );
  });

  it('for the newest of each parent searches an index for each', () => {
    const statement = selectNewestOf(codec, readFilter<Item>({ account }), 'shelf', [SHELF], 3);
    expect(planOf(statement).join()).toContain(
      'SEARCH items USING INDEX items_by_shelf_createdAt__id (shelf=?)',
    );
  });

  it('that changes many searches an index', () => {
    expect(
      planOf(selectIds(codec, readFilter<Item>({ account, name: { startsWith: 'a' } }), 5)),
    ).toEqual([
      'SEARCH items USING COVERING INDEX items_by_account_name__id (account=? AND name>? AND name<?)',
    ]);
  });

  it('that no index serves is an error', () => {
    const filter = readFilter<Item>({ state: 'new' });
    expect(() => list({ account }, { by: 'replaces', direction: 'asc' })).toThrow('No index');
    expect(() => selectCount(codec, filter, 1)).toThrow('No index of items serves state');
    expect(() => selectCountBy(codec, filter, 'account', undefined)).toThrow('No index');
    expect(() => selectIds(codec, filter, 1)).toThrow('No index');
    expect(() => selectNewestOf(codec, filter, 'state', ['new'], 1)).toThrow('No index');
  });

  it('asks for the time with each row that it reads, whether it selects the row or not', () => {
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

  it('has one text for all values of a filter of one shape', () => {
    const order = { by: 'createdAt', direction: 'asc' } as const;
    const textOf = (values: string[], day: number) =>
      list(
        { account: values[0]!, state: { oneOf: values }, name: { startsWith: values[0]! } },
        order,
        at(day),
      ).sql;
    expect(textOf(['a'], 1)).toBe(textOf(["b'", 'c', 'd'], 2));
  });

  it('takes time from the account that its filter names, else from all that read the collection', () => {
    const name = (filter: Filter<Item>) => readerOf(ITEMS, readFilter(filter));
    expect(name({ shelf: SHELF, account })).toBe(account);
    expect(name({ account: { oneOf: [account] } })).toBe('items');
    expect(name({ shelf: SHELF })).toBe('items');
  });
});
