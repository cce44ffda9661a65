import type { AccountId } from '../shared/ids.js';
import type { Store } from '../storage/store.js';
import {
  defaultTemplate,
  MAIL_TEMPLATES,
  type MailTemplate,
  type TemplateKind,
} from './mail-template.js';

/** The account's own template, or the default. */
export const templateOf = async (
  store: Store,
  kind: TemplateKind,
  accountId: AccountId,
): Promise<MailTemplate> =>
  (await store.find(MAIL_TEMPLATES, { accountId, kind })) ?? defaultTemplate(accountId, kind);
