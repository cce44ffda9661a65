import { Injectable } from '@nestjs/common';
import type { Event, EventType } from '../events/event.js';
import { OutgoingMail } from '../mail/outgoing-mail.service.js';
import type { Change, Insert } from '../storage/changes.js';
import {
  CustomerLetters,
  EMAIL_CHANGED,
  type LicenseMailKind,
} from './customer-letters.service.js';
import { CustomerMail } from './customer-mail.service.js';

/** The events about a license that send mail to its client. */
const CAUSES: Readonly<Partial<Record<EventType, LicenseMailKind>>> = {
  'license.created': 'license_issued',
  'license.key_sent': 'license_key',
  'license.expiring': 'license_expiring',
};

/** The mail that an event sends; a replacement and a batch send none. */
const kindFor = ({ type, data }: Event): LicenseMailKind | undefined =>
  data.replaces || data.batch ? undefined : CAUSES[type];

/** Mails clients about events, in the commit of the event. */
@Injectable()
export class CustomerMails {
  constructor(
    private readonly outgoing: OutgoingMail,
    private readonly letters: CustomerLetters,
    private readonly customerMail: CustomerMail,
  ) {}

  /** @param changes the commit that stores the event */
  async mailsOf(event: Event, changes: readonly Change[]): Promise<Insert[]> {
    const kind = kindFor(event);
    if (kind) return this.mailsAboutLicense(kind, event, changes);
    const { email } = event.type === 'client.updated' ? event.data : {};
    return Array.isArray(email) ? this.mailsToFormerAddress(event, String(email[0])) : [];
  }

  private async mailsAboutLicense(
    kind: LicenseMailKind,
    { accountId, subject: license, storedAt }: Event,
    changes: readonly Change[],
  ): Promise<Insert[]> {
    const template = await this.letters.templateFor(kind, accountId);
    if (!template || !(await this.customerMail.isAllowed(accountId))) return [];
    const facts = await this.letters.factsOf(license, changes);
    if (!facts) return [];
    // If several notices became due during an outage, the client gets only the last one.
    const { nextNoticeAt } = facts.license;
    const isOutdated = kind === 'license_expiring' && nextNoticeAt && nextNoticeAt <= storedAt;
    if (isOutdated) return [];
    const { subject } = this.letters.write(template, facts);
    const { _id: about, email: to } = facts.client;
    return [this.outgoing.toCustomer({ accountId, kind, to, subject, about, license })];
  }

  private async mailsToFormerAddress(
    { accountId, subject: about }: Event,
    to: string,
  ): Promise<Insert[]> {
    if (!(await this.customerMail.isAllowed(accountId))) return [];
    const kind = 'client_email_changed';
    const { subject } = EMAIL_CHANGED;
    return [this.outgoing.toCustomer({ accountId, kind, to, subject, about })];
  }
}
