import { Injectable } from '@nestjs/common';
import type { AccountId } from '../shared/ids.js';
import {
  type Page,
  type PageRequest,
  pageOf,
  positionOf,
  readPage,
} from '../shared/pagination/page.js';
import { type Filter, given } from '../storage/filter.js';
import { type Order, Store } from '../storage/store.js';
import type { EventFilterQuery } from './dto/event-list.query.js';
import { type Event, EVENTS, isOfTypes } from './event.js';

/** Maximum of events that are read for a page of some types. */
const MAX_SCANNED = 250;

/** Reads what has happened in an account. */
@Injectable()
export class EventsService {
  constructor(private readonly store: Store) {}

  /** A page of an account's events by their time. With types it may be short, and even empty, while more follow. */
  async list(
    accountId: AccountId,
    query: EventFilterQuery,
    page: PageRequest,
    direction: Order<Event>['direction'] = 'desc',
  ): Promise<Page<Event>> {
    const order = { by: 'at', direction } as const;
    const filter = toFilter(accountId, query);
    const { type } = query;
    if (!type) return readPage(this.store, EVENTS, filter, order, page);
    const scanned = { ...page, limit: MAX_SCANNED };
    const { data, next } = await readPage(this.store, EVENTS, filter, order, scanned);
    const found = data.filter((event) => isOfTypes(event.type, type));
    if (found.length > page.limit) return pageOf(found, page.limit, 'at');
    return { data: found, next: next && positionOf(data.at(-1)!, 'at') };
  }
}

function toFilter(
  accountId: AccountId,
  { subject, actor, since, until }: EventFilterQuery,
): Filter<Event> {
  const at = given({ from: since, before: until });
  return {
    ...given({ accountId, subject, actor }),
    ...(Object.keys(at).length > 0 && { at }),
  };
}
