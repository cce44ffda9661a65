import { type Actor, type EventData, EVENTS, newEvent, SYSTEM } from '../../events/event.js';
import { type Change, insert } from '../../storage/changes.js';
import type { User } from './user.js';

export const actorOf = ({ _id: id, name }: User): Actor => ({ type: 'user', id, name });

type AccountEventType =
  | 'account.logged_in'
  | 'account.login_failed'
  | 'account.password_changed'
  | 'account.disabled';

/** An event about a login. */
export const newAccountEvent = (
  type: AccountEventType,
  { account: accountId, _id, name }: User,
  at: Date,
  by: Actor,
  data: EventData = {},
) => newEvent(type, { accountId, _id, name }, at, { data, by });

/** The change that stores what a member has done with the own login. */
export const accountEvent = (
  type: AccountEventType,
  user: User,
  at: Date,
  data: EventData = {},
): Change => insert(EVENTS, newAccountEvent(type, user, at, actorOf(user), data));

/** The change that stores what the operator has done with a login. */
export const operatorEvent = (type: AccountEventType, user: User, at: Date): Change =>
  insert(EVENTS, newAccountEvent(type, user, at, SYSTEM));
