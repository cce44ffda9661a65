import { type AccountId, newRecord } from '../shared/ids.js';
import { addDays } from '../shared/time/calendar.js';
import { collection, type RecordOf, field } from '../storage/collection.js';

/** Every kind of mail, and who gets it. Mail to members goes first and has its own limits. */
export const MAIL_KINDS = {
  password_reset: 'member',
  invitation: 'member',
  email_change: 'member',
  email_confirmation: 'member',
  password_changed: 'member',
  new_sign_in: 'member',
  api_key_created: 'member',
  signing_keys_rotated: 'member',
  ownership_transferred: 'member',
  email_changed: 'member',
  template_test: 'member',
  license_issued: 'customer',
  license_key: 'customer',
  license_expiring: 'customer',
  client_email_changed: 'customer',
  // Also goes first, but cannot be sent again, because its link is stored only as a hash.
  portal_link: 'member',
  factor_added: 'member',
  factor_removed: 'member',
  recovery_codes_created: 'member',
  factors_reset: 'member',
  codes_locked: 'member',
} as const satisfies Readonly<Record<string, 'member' | 'customer'>>;

export type MailKind = keyof typeof MAIL_KINDS;

/** Mail to members that strangers can trigger for any address. */
const BY_OTHERS: ReadonlySet<MailKind> = new Set(['invitation', 'email_change', 'portal_link']);

/**
 * The kinds of mail to an address that share a limit. Security mail has its own limit, which strangers
 * cannot use up.
 */
export const addressLimitKey = ({ kind, isToMember, to }: Mail): string =>
  `${isToMember} ${BY_OTHERS.has(kind) ? 'by others ' : ''}${to}`;

export const MAIL_STATUSES = ['pending', 'sent', 'failed'] as const;

/** How many days a mail stays in the list. */
const MAIL_DAYS = 30;

const FIELDS = {
  _id: field.id(),
  accountId: field.id<AccountId>(),
  kind: field.text<MailKind>(),
  isToMember: field.boolean(),
  /** One address, with the domain in ASCII. */
  to: field.text(),
  subject: field.text(),
  /** The sealed content; null for mail to customers, which is rendered when it is sent, and once sent or given up. */
  sealed: field.text().nullable(),
  /** The client that receives a mail to a customer, and the license it is about. */
  about: field.id().nullable(),
  license: field.id().nullable(),
  status: field.text<(typeof MAIL_STATUSES)[number]>(),
  attempts: field.integer(),
  /** Why the last attempt failed; contains no text from the server. */
  error: field.text().nullable(),
  /** During an attempt, when its lease expires; null unless pending. */
  nextAttemptAt: field.time().nullable(),
  /** When the link in it expires; null if it has no link. */
  giveUpAt: field.time().nullable(),
  createdAt: field.time(),
  sentAt: field.time().nullable(),
  expiresAt: field.time(),
};

/** A mail to one recipient, stored in the commit of its cause. */
export type Mail = RecordOf<typeof FIELDS>;

export const MAILS = collection<Mail>('mails', {
  fields: FIELDS,
  indexes: [
    ['nextAttemptAt', '_id'],
    ['status', 'isToMember', 'accountId', '_id'],
    ['accountId', 'isToMember', 'nextAttemptAt', '_id'],
    ['accountId', 'createdAt', '_id'],
    ['accountId', 'about', 'createdAt', '_id'],
    ['accountId', 'kind', 'createdAt', '_id'],
    ['to', 'isToMember', 'createdAt', '_id'],
    ['expiresAt'],
  ],
  account: 'accountId',
  expires: 'expiresAt',
});

/** The fields of a new mail; the rest is derived from them. */
export type NewMail = Pick<Mail, 'accountId' | 'kind' | 'to' | 'subject'> &
  Partial<Pick<Mail, '_id' | 'sealed' | 'about' | 'license' | 'giveUpAt'>>;

/** @param isMailable whether the address can receive mail; if not, the mail counts as failed */
export const newMail = ({ _id, ...fields }: NewMail, isMailable: boolean, now: Date): Mail => {
  const mail: Mail = {
    ...newRecord(),
    ...(_id !== undefined && { _id }),
    sealed: null,
    about: null,
    license: null,
    giveUpAt: null,
    ...fields,
    isToMember: MAIL_KINDS[fields.kind] === 'member',
    status: 'pending',
    attempts: 0,
    error: null,
    nextAttemptAt: now,
    createdAt: now,
    sentAt: null,
    expiresAt: addDays(now, MAIL_DAYS),
  };
  return isMailable ? mail : failed(mail, 'unmailable_address');
};

/** How long an attempt holds its lease, in milliseconds: twice the deadline of an attempt. */
const LEASE = 120_000;

export const leased = (mail: Mail, now: Date): Mail =>
  postponed(mail, new Date(now.getTime() + LEASE));

export const postponed = (mail: Mail, nextAttemptAt: Date): Mail => ({ ...mail, nextAttemptAt });

/** The content is erased once nobody needs it. */
const FINISHED = { sealed: null, nextAttemptAt: null } as const;

export const sent = (mail: Mail, now: Date): Mail => ({
  ...{ ...mail, ...FINISHED, status: 'sent', error: null, sentAt: now },
  attempts: mail.attempts + 1,
});

export const failed = (mail: Mail, error: string): Mail => ({
  ...{ ...mail, ...FINISHED, status: 'failed', error },
});

const MINUTE = 60_000;
/** Pause after each failed attempt, in milliseconds. */
const PAUSES = [1, 5, 30, 120, 480].map((minutes) => minutes * MINUTE);

/** A mail after an attempt that may be repeated. */
export function attempted(mail: Mail, error: string, now: Date): Mail {
  const after = { ...mail, error, attempts: mail.attempts + 1 };
  const pause = PAUSES[mail.attempts];
  return pause === undefined
    ? failed(after, error)
    : postponed(after, new Date(now.getTime() + pause));
}

/** A failed mail to a customer, rendered and sent again. */
export const requeued = (mail: Mail, now: Date): Mail => ({
  ...{ ...mail, status: 'pending', attempts: 0, error: null, nextAttemptAt: now },
  expiresAt: addDays(now, MAIL_DAYS),
});
