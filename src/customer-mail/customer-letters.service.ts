import { Injectable } from '@nestjs/common';
import { type Client, CLIENTS } from '../clients/client.js';
import { type License, LICENSES, statusOf } from '../licenses/license.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { isPerpetual } from '../licenses/term.js';
import { mailableAddress } from '../mail/address.js';
import { CustomerContent } from '../mail/customer-content.js';
import type { Mail } from '../mail/mail.js';
import { type Content, render } from '../mail/render.js';
import { type Plan, PLANS } from '../plans/plan.js';
import { type Project, PROJECTS } from '../projects/project.js';
import type { AccountId } from '../shared/ids.js';
import { addDays } from '../shared/time/calendar.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, changedIn } from '../storage/changes.js';
import type { Collection, Stored } from '../storage/collection.js';
import { findOwned, Store } from '../storage/store.js';
import { CustomerMail } from './customer-mail.service.js';
import type { MailTemplate, TemplateKind } from './mail-template.js';
import type { PlaceholderValues } from './placeholders.js';
import { templateOf } from './template-reader.js';
import { termText } from './term-text.js';

/** Mail about a license: one with a template, or a key that someone asked to send. */
export type LicenseMailKind = TemplateKind | 'license_key';

/** A license with the names and dates for mail about it. */
export interface LicenseFacts {
  readonly license: License;
  readonly client: Client;
  readonly project: Project;
  readonly plan: Plan | null;
}

/** The number of days before expiry at which a license counts as expiring soon: that of the first notice. */
const SOON_DAYS = 30;

export const EMAIL_CHANGED = {
  subject: 'Your email address was changed',
  text: `Hello {{client.name}},

The email address for your licenses was changed. Mail about your licenses no longer goes to this address.

If you did not expect this, contact the company that sold you the licenses.`,
};

/**
 * Renders mail to clients from the records at the time of sending, so no client gets outdated facts or
 * someone else's key.
 */
@Injectable()
export class CustomerLetters extends CustomerContent {
  constructor(
    private readonly store: Store,
    private readonly keys: LicenseKeyService,
    private readonly customerMail: CustomerMail,
    private readonly clock: Clock,
  ) {
    super();
  }

  async render(mail: Mail): Promise<Content | null> {
    const { kind, accountId, to } = mail;
    if (!(await this.customerMail.isAllowed(accountId))) return null;
    const isCurrent = (await this.addressOf(mail)) === to;
    if (kind === 'client_email_changed') return isCurrent ? null : this.renderEmailChange(mail);
    const facts = isCurrent ? await this.factsOf(mail.license!) : null;
    const template = await this.templateFor(kind as LicenseMailKind, accountId);
    if (!facts || !template) return null;
    return this.isDue(kind as LicenseMailKind, facts.license) ? this.write(template, facts) : null;
  }

  /**
   * The template for mail about a license; null if the account has not turned it on. A requested key does
   * not need an enabled template.
   */
  async templateFor(kind: LicenseMailKind, accountId: AccountId): Promise<MailTemplate | null> {
    if (kind === 'license_key') return templateOf(this.store, 'license_issued', accountId);
    const template = await templateOf(this.store, kind, accountId);
    return template.enabled ? template : null;
  }

  /**
   * The current address of the client that a mail is about; undefined if it cannot receive mail or the
   * client was deleted.
   */
  async addressOf({ about, accountId }: Pick<Mail, 'about' | 'accountId'>) {
    const client = await findOwned(this.store, CLIENTS, about!, accountId);
    return client ? mailableAddress(client.email) : undefined;
  }

  /** @returns null if the license, its client or its project was deleted */
  async factsOf(_id: string, changes: readonly Change[] = []): Promise<LicenseFacts | null> {
    const find = async <R extends Stored>(collection: Collection<R>, id: string) =>
      changedIn(changes, collection, id)?.after ??
      (await this.store.find(collection, { _id: id } as Partial<R>));
    const license = await find(LICENSES, _id);
    if (!license) return null;
    const [client, project, plan] = await Promise.all([
      find(CLIENTS, license.client),
      find(PROJECTS, license.project),
      license.plan === null ? null : find(PLANS, license.plan),
    ]);
    return client && project && { license, client, project, plan };
  }

  write({ subject, text, replyTo }: MailTemplate, facts: LicenseFacts): Content {
    const { license, client, project, plan } = facts;
    const values: PlaceholderValues = {
      'client.name': client.name,
      'license.key': { as: 'key', text: this.keys.reveal(license) },
      'license.term': termText(license, plan?.oncePerMachine ?? false),
      'project.name': project.name,
    };
    return { ...render(subject, text, values), replyTo };
  }

  private async renderEmailChange({ about, accountId }: Mail): Promise<Content | null> {
    const client = await findOwned(this.store, CLIENTS, about!, accountId);
    if (!client) return null;
    const { replyTo } = await templateOf(this.store, 'license_issued', accountId);
    const values = { 'client.name': client.name };
    return { ...render(EMAIL_CHANGED.subject, EMAIL_CHANGED.text, values), replyTo };
  }

  private isDue(kind: LicenseMailKind, license: License): boolean {
    const now = this.clock.now();
    const status = statusOf(license, now);
    switch (kind) {
      case 'license_issued':
      case 'license_key':
        return status !== 'REVOKED';
      case 'license_expiring':
        return (
          (status === 'ACTIVE' || (status === 'PENDING' && license.endIsFixed)) &&
          !isPerpetual(license) &&
          license.expiresAt <= addDays(now, SOON_DAYS)
        );
    }
  }
}
