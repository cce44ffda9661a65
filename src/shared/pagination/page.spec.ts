import { aClient } from '../../../test/builders/client.builder.js';
import { at } from '../../../test/builders/time.js';
import { ModelStore } from '../../../test/contract/model-store.js';
import { type Client, CLIENTS } from '../../clients/client.js';
import { insert } from '../../storage/changes.js';
import { NOT_STORED } from '../../storage/collection.js';
import type { Filter } from '../../storage/filter.js';
import { newAccountId } from '../ids/account-id.js';
import {
  NEWEST_FIRST,
  type Page,
  pageOf,
  type PageRequest,
  type Position,
  readPage,
} from './page.js';

const records = [5, 4, 3, 2, 1].map((day) => ({
  _id: String(day).repeat(24),
  version: NOT_STORED,
  createdAt: new Date(Date.UTC(2026, 0, day)),
  expiresAt: new Date(Date.UTC(2027, 0, day)),
}));

describe('pageOf', () => {
  it('ends a page at its limit, and continues after its last record', () => {
    const { _id, createdAt } = records[3]!;
    expect(pageOf(records, 4, 'createdAt')).toEqual({
      data: records.slice(0, 4),
      next: { _id, time: createdAt },
    });
  });

  it('continues by the sort key of the list', () => {
    const { _id, expiresAt } = records[1]!;
    expect(pageOf(records, 2, 'expiresAt').next).toEqual({ _id, time: expiresAt });
  });

  it.each([
    [5, 5],
    [5, 6],
    [0, 20],
  ])('has no next page if %i records are left and the limit is %i', (left, limit) => {
    const data = records.slice(0, left);
    expect(pageOf(data, limit, 'createdAt')).toEqual({ data, next: null });
  });
});

describe('readPage', () => {
  const owner = newAccountId();
  const store = new ModelStore();
  const read = (filter: Filter<Client>, page: PageRequest) =>
    readPage(store, CLIENTS, filter, NEWEST_FIRST, page);
  beforeAll(async () => {
    // Of equal times, so that ids break ties between pages.
    const clients = [5, 1, 5, 3, 1, 5].map((minutes) => aClient({ owner, createdAt: at(minutes) }));
    await store.commit([...clients, aClient()].map((client) => insert(CLIENTS, client)));
  });

  it.each([1, 2, 5, 6, 7])('shows each record once in pages of %i', async (limit) => {
    const shown: Client[] = [];
    let after: Position | null | undefined;
    do {
      const page: Page<Client> = await read({ owner }, { limit, after: after ?? undefined });
      expect(page.data.length).toBe(page.next ? limit : 6 - shown.length);
      shown.push(...page.data);
      after = page.next;
    } while (after);
    expect(shown.map(({ createdAt }) => createdAt)).toEqual([5, 5, 5, 3, 1, 1].map(at));
    expect(new Set(shown.map(({ _id }) => _id)).size).toBe(6);
  });

  it('shows an empty last page where there is nothing', async () => {
    const page = { limit: 2, after: undefined };
    expect(await read({ owner: newAccountId() }, page)).toEqual({ data: [], next: null });
  });
});
