import type { EventKind, EventType } from '../api/types.js';
import { allOf, fullNameOf } from '../events/event-texts.js';
import { webhooks as names } from './webhook-texts.js';

const OF_KIND = /^(.+)\.\*$/;

/** The name of a subscription: one type of event, all of a kind, or all. */
export function nameOfType(type: string): string {
  if (type === '*') return names.allTypes;
  const [, kind] = OF_KIND.exec(type) ?? [];
  return kind === undefined ? fullNameOf(type as EventType) : allOf[kind as EventKind];
}
