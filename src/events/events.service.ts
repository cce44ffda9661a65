import { Injectable } from '@nestjs/common';
import { type Principal, seesAccountEvents } from '../auth/principal.js';
import type { AccountId } from '../shared/ids.js';
import {
  type Page,
  type PageRequest,
  pageOf,
  positionOf,
  readPage,
} from '../shared/pagination/page.js';
import { type Filter, omitUndefined } from '../storage/filter.js';
import { type Order, Store } from '../storage/store.js';
import type { EventFilterQuery } from './dto/event-list.query.js';
import { type Event, EVENTS, isAccountEvent, isOfTypes } from './event.js';

/** Maximum number of events read for a filtered page. */
const MAX_SCANNED = 250;

/** Reads the event log of an account. */
@Injectable()
export class EventsService {
  constructor(private readonly store: Store) {}

  /**
   * A page of the events visible to a caller, by time. If filtered by type or visibility, it may be short
   * or even empty although more events follow.
   */
  async list(
    caller: Principal,
    query: EventFilterQuery,
    page: PageRequest,
    direction: Order<Event>['direction'] = 'desc',
  ): Promise<Page<Event>> {
    const order = { by: 'at', direction } as const;
    const filter = toFilter(caller.accountId, query);
    const { type } = query;
    const seesAll = seesAccountEvents(caller);
    if (!type && seesAll) return readPage(this.store, EVENTS, filter, order, page);
    const scanned = { ...page, limit: MAX_SCANNED };
    const { data, next } = await readPage(this.store, EVENTS, filter, order, scanned);
    const found = data.filter(
      (event) => (!type || isOfTypes(event.type, type)) && (seesAll || !isAccountEvent(event.type)),
    );
    if (found.length > page.limit) return pageOf(found, page.limit, 'at');
    return { data: found, next: next && positionOf(data.at(-1)!, 'at') };
  }
}

function toFilter(
  accountId: AccountId,
  { subject, actor, since, until }: EventFilterQuery,
): Filter<Event> {
  const at = omitUndefined({ from: since, before: until });
  return {
    ...omitUndefined({ accountId, subject, actor }),
    ...(Object.keys(at).length > 0 && { at }),
  };
}
