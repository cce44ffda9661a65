import { type AccountId, newRecord } from '../shared/ids.js';
import { boolean, collection, id, type RecordOf, text, time } from '../storage/collection.js';

/** The mail that the service sends to the clients of an account. */
export const TEMPLATE_KINDS = ['license_issued', 'license_expiring'] as const;
export type TemplateKind = (typeof TEMPLATE_KINDS)[number];

const FIELDS = {
  _id: id(),
  accountId: id<AccountId>(),
  kind: text<TemplateKind>(),
  /** Whether the event mails the client; off until the account turns it on. */
  enabled: boolean(),
  subject: text(),
  text: text(),
  /** Where replies go; null for the service's sender address. */
  replyTo: text().nullable(),
  /** Null until it is stored. */
  updatedAt: time().nullable(),
};

/**
 * The text of one kind of mail to an account's clients. If there is no record, the default applies.
 */
export type MailTemplate = RecordOf<typeof FIELDS>;

export const MAIL_TEMPLATES = collection<MailTemplate>('mail_templates', {
  fields: FIELDS,
  unique: [['accountId', 'kind']],
  account: 'accountId',
  cached: true,
});

/** The fields of a template that its account sets. */
export const TEMPLATE_FIELDS = ['enabled', 'subject', 'text', 'replyTo'] as const;
export type TemplateFields = Pick<MailTemplate, (typeof TEMPLATE_FIELDS)[number]>;

/** Maximum lengths in characters, so a whole template fits into a request. */
export const MAX_SUBJECT = 200;
export const MAX_TEXT = 4_000;

/** The texts of accounts that have not written their own. */
export const DEFAULT_TEXTS: Readonly<Record<TemplateKind, Pick<MailTemplate, 'subject' | 'text'>>> =
  {
    license_issued: {
      subject: 'Your license for {{project.name}}',
      text: `Hello {{client.name}},

Here is your license key for {{project.name}}:

{{license.key}}

Term: {{license.term}}

Enter the key when the software asks for it. Keep this email. You will need the key again if you reinstall the software or move to another computer.`,
    },
    license_expiring: {
      subject: 'Your license for {{project.name}} expires soon',
      text: `Hello {{client.name}},

Your license for {{project.name}} expires soon.

Term: {{license.term}}

Renew it before then to keep using the software without interruption.`,
    },
  };

/** The template of an account that has not written its own. */
export const defaultTemplate = (accountId: AccountId, kind: TemplateKind): MailTemplate => ({
  ...newRecord(),
  accountId,
  kind,
  enabled: false,
  ...DEFAULT_TEXTS[kind],
  replyTo: null,
  updatedAt: null,
});
