import { Injectable } from '@nestjs/common';
import type { AccountId } from '../shared/ids.js';
import { Store } from '../storage/store.js';
import {
  defaultTemplate,
  MAIL_TEMPLATES,
  type MailTemplate,
  TEMPLATE_KINDS,
  type TemplateKind,
} from './mail-template.js';

/** Reads an account's templates. */
@Injectable()
export class TemplateReader {
  constructor(private readonly store: Store) {}

  /** The account's own template, or the default. */
  async get(kind: TemplateKind, accountId: AccountId): Promise<MailTemplate> {
    const stored = await this.store.find(MAIL_TEMPLATES, { accountId, kind });
    return stored ?? defaultTemplate(accountId, kind);
  }

  /** One template of each kind. */
  list(accountId: AccountId): Promise<MailTemplate[]> {
    return Promise.all(TEMPLATE_KINDS.map((kind) => this.get(kind, accountId)));
  }
}
