import { Injectable } from '@nestjs/common';
import type { Event } from '../events/event.js';
import { OutgoingMail } from '../mail/outgoing-mail.service.js';
import type { Change, Insert } from '../storage/changes.js';
import { CustomerLetters } from './customer-letters.service.js';
import { CustomerMail } from './customer-mail.service.js';
import type { TemplateKind } from './mail-template.js';
import { TemplateReader } from './template-reader.js';

/** Which mail an event about a license sends to the client; undefined if none. A replacement and a batch send none. */
export function templateFor({
  type,
  data,
}: Pick<Event, 'type' | 'data'>): TemplateKind | undefined {
  switch (type) {
    case 'license.created':
      return data.replaces || data.batch ? undefined : 'license_issued';
    case 'license.key_sent':
      return 'license_issued';
    case 'license.expiring':
      return 'license_expiring';
    default:
      return undefined;
  }
}

/** Mails clients about events, in the commit of the event. */
@Injectable()
export class CustomerMails {
  constructor(
    private readonly outgoing: OutgoingMail,
    private readonly templates: TemplateReader,
    private readonly letters: CustomerLetters,
    private readonly customerMail: CustomerMail,
  ) {}

  /** @param changes of the commit that stores the event */
  async mailsOf(event: Event, changes: readonly Change[]): Promise<Insert[]> {
    if (!this.outgoing.isOn) return [];
    const kind = templateFor(event);
    if (kind) return this.mailsAboutLicense(kind, event, changes);
    const { email } = event.type === 'client.updated' ? event.data : {};
    return Array.isArray(email) ? this.mailsToFormerAddress(event, String(email[0])) : [];
  }

  private async mailsAboutLicense(
    kind: TemplateKind,
    { accountId, subject: license, storedAt }: Event,
    changes: readonly Change[],
  ): Promise<Insert[]> {
    const template = await this.templates.get(kind, accountId);
    if (!template.enabled || !(await this.customerMail.isAllowed(accountId))) return [];
    const facts = await this.letters.factsOf(license, changes);
    if (!facts) return [];
    // Of several notices that became due during an outage, the client gets the last one.
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
    if (!(await this.customerMail.isOn(accountId))) return [];
    const kind = 'client_email_changed';
    const subject = 'Your e-mail address was changed';
    return [this.outgoing.toCustomer({ accountId, kind, to, subject, about })];
  }
}
