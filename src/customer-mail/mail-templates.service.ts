import { Injectable } from '@nestjs/common';
import { changesOf, record } from '../events/event.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, insert, replace, touch } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import {
  defaultTemplate,
  MAIL_TEMPLATES,
  type MailTemplate,
  TEMPLATE_FIELDS,
  TEMPLATE_KINDS,
  type TemplateFields,
  type TemplateKind,
} from './mail-template.js';

/** The texts of an account's mail to its clients. */
@Injectable()
export class MailTemplates {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {}

  /** One template of each kind: the account's own, or the default. */
  list(accountId: AccountId): Promise<MailTemplate[]> {
    return Promise.all(TEMPLATE_KINDS.map((kind) => this.get(kind, accountId)));
  }

  async get(kind: TemplateKind, accountId: AccountId): Promise<MailTemplate> {
    const stored = await this.store.find(MAIL_TEMPLATES, { accountId, kind });
    return stored ?? defaultTemplate(accountId, kind);
  }

  put(kind: TemplateKind, accountId: AccountId, fields: TemplateFields): Promise<MailTemplate> {
    const decide = async (failed?: Change) => {
      if (failed?.collection === TOTALS) throw new DomainError('UNAUTHORIZED');
      const before = await this.get(kind, accountId);
      const updatedAt = this.clock.now();
      const template = { ...before, ...fields, updatedAt };
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
}
