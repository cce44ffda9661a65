import { Injectable } from '@nestjs/common';
import { USERS } from '../auth/accounts/user.js';
import type { UserPrincipal } from '../auth/principal.js';
import { changesOf, record } from '../events/event.js';
import { mailableAddress } from '../mail/address.js';
import { OutgoingMail } from '../mail/outgoing-mail.service.js';
import { render } from '../mail/render.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, insert, replace, touch } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { CustomerMail } from './customer-mail.service.js';
import {
  MAIL_TEMPLATES,
  type MailTemplate,
  TEMPLATE_FIELDS,
  type TemplateFields,
  type TemplateKind,
  TEMPLATE_KINDS,
} from './mail-template.js';
import { sampleValues } from './placeholders.js';
import { templateOf } from './template-reader.js';

/** The texts of an account's mail to its clients. */
@Injectable()
export class MailTemplates {
  constructor(
    private readonly store: Store,
    private readonly customerMail: CustomerMail,
    private readonly outgoing: OutgoingMail,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {}

  /** One template of each kind. */
  list(accountId: AccountId): Promise<MailTemplate[]> {
    return Promise.all(TEMPLATE_KINDS.map((kind) => templateOf(this.store, kind, accountId)));
  }

  put(kind: TemplateKind, accountId: AccountId, fields: TemplateFields): Promise<MailTemplate> {
    const decide = async (failed?: Change) => {
      if (failed?.collection === TOTALS) throw new DomainError('UNAUTHORIZED');
      const before = await templateOf(this.store, kind, accountId);
      const updatedAt = this.clock.now();
      const template = { ...before, ...fields, updatedAt };
      if (fields.enabled && !before.enabled) await this.customerMail.requireAllowed(accountId);
      const data = changesOf(before, template, TEMPLATE_FIELDS);
      if (Object.keys(data).length === 0) return { result: before, changes: [] };
      const changes = [
        touch(TOTALS, accountId),
        before.updatedAt
          ? replace(MAIL_TEMPLATES, before, template)
          : insert(MAIL_TEMPLATES, template),
        record('mail_template.updated', { ...template, name: kind }, updatedAt, { data }),
      ];
      return { result: template, changes };
    };
    return this.decisions.run(decide, { key: `${kind} ${accountId}` });
  }

  /**
   * Mails the caller a template with sample values.
   *
   * @throws DomainError MAIL_OFF; TOO_MANY_REQUESTS beyond an address's limit
   */
  test(
    kind: TemplateKind,
    { accountId, id: _id }: UserPrincipal,
    idempotency?: IdempotencyRecord,
  ): Promise<void> {
    const decide = async () => {
      await this.customerMail.requireAllowed(accountId);
      const user = await this.store.find(USERS, { _id });
      const to = user && mailableAddress(user.email);
      if (!to) throw new DomainError('ADDRESS_NOT_MAILABLE');
      await this.customerMail.requireRoom(to, true);
      const { subject, text, replyTo } = await templateOf(this.store, kind, accountId);
      const content = { ...render(subject, text, sampleValues(kind)), replyTo };
      const mail = this.outgoing.sealed({ accountId, kind: 'template_test', to }, content);
      return { result: undefined, changes: [touch(TOTALS, accountId), mail] };
    };
    return this.decisions.run<void>(decide, { idempotency });
  }
}
