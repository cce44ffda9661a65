import { titles } from '../app/navigation-texts.js';
import { changeEmail } from '../account/account-texts.js';
import type { Mail, MailObstacle, MailTemplate } from '../api/types.js';

export const mail = {
  title: titles.mail,
  details: 'The emails this account sends to its customers, and whether they were sent.',
  on: 'On',
  off: 'Off',
  to: 'To',
  subject: 'Subject',
  replyTo: 'Replies go to',
  replyToNobody: 'The address this server sends from',
  sample: 'Sample',
  edit: 'Edit',
  editTitle: (template: string) => `Edit “${template}”`,
  saved: (template: string) => `Saved “${template}”`,
  enabled: 'Email customers automatically',
  text: 'Text',
  subjectHint: 'Can contain {{client.name}}, {{project.name}} and {{license.term}}',
  textHint: 'Can also contain {{license.key}}',
  replyToHint: 'Optional. For example, your support address.',
  test: 'Send me a test',
  testOf: (template: string) => `Send me a test of “${template}”`,
  testDetails: 'Emails the saved text, with sample values, to the address you sign in with.',
  tested: 'Test sent to your own address',
};

export const blocked = {
  title: 'Customers get no mail',
  reasons: {
    no_smtp: 'The operator of this server has not set up mail.',
    unconfirmed_owner: 'Until the owner confirms their email address, this account sends no mail.',
    customer_mail_off: 'The operator of this server has not turned on mail to customers.',
  } satisfies Record<MailObstacle, string>,
  unconfirmed: (email: string) =>
    `Until you confirm your email address, ${email}, this account sends no mail.`,
  send: 'Send me a link',
  confirm: 'Confirm your email address',
  confirmDetails: (email: string) => `We mail a link to ${email}. Open it to confirm the address.`,
  sent: changeEmail.sent,
};

export const templates: Record<MailTemplate['kind'], { title: string; details: string }> = {
  license_issued: {
    title: 'License key',
    details: 'Sent when you create a single license, and by “Send key by email”.',
  },
  license_expiring: {
    title: 'Expiry warning',
    details: 'Sent 30, 7 and 1 days before a license expires.',
  },
};

/** Sample values for the placeholders. */
export const sampleOf = (kind: MailTemplate['kind']): Readonly<Record<string, string>> => ({
  'client.name': 'Sample Customer',
  'project.name': 'Sample Project',
  'license.term': kind === 'license_expiring' ? 'until 4 May 2027' : '12 months from first use',
  'license.key': 'LIC-000000000000000000000000-XXXX-XXXX-XXXX',
});

export const log = {
  title: 'Sent mail',
  details: 'The last 30 days, to customers and to your team.',
  none: 'No emails in the last 30 days',
  kind: 'Mail',
  status: 'Status',
  error: 'Problem',
  created: 'Time',
  retrying: 'Retrying',
  again: 'Send again',
  againTo: (to: string) => `Send again to ${to}`,
  againDone: 'Queued again',
};

export const mailStatus: Record<Mail['status'], string> = {
  pending: 'Waiting',
  sent: 'Sent',
  failed: 'Failed',
};

export const mailKinds: Record<Mail['kind'], string> = {
  password_reset: 'Password reset',
  invitation: 'Invitation',
  email_change: 'New address',
  email_confirmation: 'Address check',
  password_changed: 'Password changed',
  new_sign_in: 'New sign-in',
  api_key_created: 'API key created',
  signing_keys_rotated: 'Signing keys rotated',
  ownership_transferred: 'Owner changed',
  email_changed: 'Address changed',
  factor_added: 'Second factor added',
  factor_removed: 'Second factor removed',
  recovery_codes_created: 'New recovery codes',
  factors_reset: 'Second factors reset',
  codes_locked: 'Codes locked',
  template_test: 'Test',
  license_issued: 'License key',
  license_key: 'License key, on request',
  license_expiring: 'Expiry warning',
  client_email_changed: 'Customer’s address changed',
  portal_link: 'Portal link',
};

/** Why a mail failed. Other values are codes from a mail server. */
export const problems: Readonly<Record<string, string>> = {
  not_needed: 'No longer needed: the license or the address has changed',
  unmailable_address: 'The address can’t receive mail',
  link_expired: 'The link expired before it could be sent',
  restored: 'Not sent, because a backup was restored',
  timeout: 'The mail server did not respond',
  tls_failed: 'No secure connection to the mail server',
  host_not_found: 'The mail server was not found',
  connection_failed: 'The mail server could not be reached',
  smtputf8_unsupported: 'The mail server does not support this address',
  too_large: 'Too large for the mail server',
};
