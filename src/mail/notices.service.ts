import { Injectable } from '@nestjs/common';
import { type User, USERS } from '../auth/accounts/user.js';
import { MAX_MEMBERS } from '../auth/members/member.js';
import { LOGIN_ADDRESSES } from '../auth/sessions/session.js';
import { dailyIdOf } from '../events/daily-event.js';
import type { Event, EventType } from '../events/event.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { OLDEST_FIRST } from '../shared/pagination/page.js';
import { type Change, type Insert, transitionsOf } from '../storage/changes.js';
import { Store } from '../storage/store.js';
import { MAILS } from './mail.js';
import type { MemberMailKind } from './member-texts.js';
import { OutgoingMail } from './outgoing-mail.service.js';

/** The recipient of a notice: the login the event is about, the member who caused it, the owner, or the former address of a login. */
type Recipient = 'subject' | 'actor' | 'owner' | 'former_address';

interface Notice {
  readonly kind: MemberMailKind;
  readonly to: readonly Recipient[];
  /** Whether an event of this type sends a notice; by default it always does. */
  readonly applies?: (event: Event) => boolean;
}

/** The values of a field before and after an update; empty if the event changes none. */
const pairIn = ({ data }: Event, field: string): readonly string[] =>
  Array.isArray(data[field]) ? (data[field] as string[]) : [];

/** The notices for each type of event. */
const NOTICES: Readonly<Partial<Record<EventType, readonly Notice[]>>> = {
  'account.password_changed': [{ kind: 'password_changed', to: ['subject'] }],
  'account.factor_added': [{ kind: 'factor_added', to: ['subject'] }],
  'account.factor_removed': [{ kind: 'factor_removed', to: ['subject'] }],
  'account.recovery_codes_created': [{ kind: 'recovery_codes_created', to: ['subject'] }],
  'account.factors_reset': [{ kind: 'factors_reset', to: ['subject', 'owner'] }],
  'account.codes_locked': [{ kind: 'codes_locked', to: ['subject'] }],
  'account.logged_in': [{ kind: 'new_sign_in', to: ['subject'] }],
  'api_key.created': [{ kind: 'api_key_created', to: ['actor', 'owner'] }],
  'signing_keys.rotated': [{ kind: 'signing_keys_rotated', to: ['actor', 'owner'] }],
  'member.changed': [
    {
      kind: 'ownership_transferred',
      to: ['subject'],
      applies: (event) => pairIn(event, 'role').includes('owner'),
    },
    {
      kind: 'email_changed',
      to: ['former_address'],
      applies: (event) => pairIn(event, 'email').length > 0,
    },
  ],
};

/** Emails members about events concerning their login and account. The mail is part of the event's commit. */
@Injectable()
export class Notices {
  constructor(
    private readonly store: Store,
    private readonly outgoing: OutgoingMail,
  ) {}

  /** @param changes the commit that stores the event */
  async mailsOf(event: Event, changes: readonly Change[]): Promise<Insert[]> {
    const notices = (NOTICES[event.type] ?? []).filter(({ applies }) => applies?.(event) ?? true);
    if (notices.length === 0) return [];
    const { accountId: account } = event;
    const [members, totals] = await Promise.all([
      this.store.list(USERS, { account }, OLDEST_FIRST, { limit: MAX_MEMBERS }),
      this.store.find(TOTALS, { _id: account }),
    ]);
    const owner = members.find(({ role }) => role === 'owner');
    if (totals?.disabledAt !== null || !this.outgoing.isAllowedFor(owner)) return [];
    const mails = notices.map((notice) => this.mailsFor(notice, event, members, changes));
    return (await Promise.all(mails)).flat();
  }

  private async mailsFor(
    { kind, to }: Notice,
    event: Event,
    members: readonly User[],
    changes: readonly Change[],
  ): Promise<Insert[]> {
    const isTold = kind !== 'new_sign_in' || (await this.isNewAddress(event, changes));
    if (!isTold) return [];
    const memberOf = (recipient: Recipient) =>
      members.find(({ _id, role }) => {
        if (recipient === 'owner') return role === 'owner';
        return _id === (recipient === 'actor' ? event.actor : event.subject);
      });
    const told = to.flatMap((recipient) => {
      const member = memberOf(recipient);
      if (!member || member.disabledAt) return [];
      return recipient === 'former_address' ? pairIn(event, 'email')[0]! : member.email;
    });
    const { accountId } = event;
    const values = valuesOf(event);
    return [...new Set(told)].map((address) => {
      const _id = kind === 'new_sign_in' ? idOfNotice(event) : undefined;
      const mail = { accountId, kind, to: address, values };
      return this.outgoing.toMember(_id === undefined ? mail : { ...mail, _id });
    });
  }

  /** Whether a login is the first from its address, but not the first ever, and the first such notice of the day. */
  private async isNewAddress(event: Event, changes: readonly Change[]): Promise<boolean> {
    const user = event.subject;
    const isNew = transitionsOf(LOGIN_ADDRESSES, changes).some(
      ({ before, after }) => !before && after?.user === user,
    );
    if (!isNew || (await this.store.count(LOGIN_ADDRESSES, { user }, 1)) === 0) return false;
    return (await this.store.find(MAILS, { _id: idOfNotice(event) })) === null;
  }
}

/** The id of a mail that a member gets at most once a day; the commit of a second one fails. */
const idOfNotice = (event: Event): string => dailyIdOf(event, 'mail');

function valuesOf(event: Event) {
  const { data, subjectName, actorName, at } = event;
  const time = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return {
    time,
    name: subjectName,
    actor: actorName ?? 'The operator of the service',
    ...(typeof data.address === 'string' && { address: data.address }),
    role: pairIn(event, 'role')[1] ?? '',
    email: pairIn(event, 'email')[1] ?? '',
  };
}
