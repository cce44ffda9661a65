import { MAIL_KINDS, type MailKind } from './mail.js';

/** The kinds with a built-in text; a test mail uses the text of a template. */
export type MemberMailKind = Exclude<
  { [K in MailKind]: (typeof MAIL_KINDS)[K] extends 'member' ? K : never }[MailKind],
  'template_test'
>;

interface Text {
  readonly subject: string;
  readonly text: string;
}

const NOT_YOU = `If this was not you, reset your password at {{service}} and check your sessions and API keys.`;

const notice = (subject: string, what: string): Text => ({
  subject,
  text: `${what}\n\n${NOT_YOU}`,
});

/** The mail that the service sends to members. `service` is its address. */
export const MEMBER_TEXTS: Readonly<Record<MemberMailKind, Text>> = {
  password_reset: {
    subject: 'Reset your password',
    text: `Someone asked to reset the password of your login at {{service}}.

To choose a new password, open this link within 60 minutes:

{{link}}

If you did not ask for this, ignore this email. Your password stays the same.`,
  },
  invitation: {
    subject: 'Join {{account}}',
    text: `You have been invited to join the team of {{account}} at {{service}}. Your role will be: {{role}}.

To accept, open this link within 7 days:

{{link}}

If you do not know the sender, ignore this email.`,
  },
  email_change: {
    subject: 'Confirm your new email address',
    text: `Someone asked to use this email address for a login at {{service}}.

To confirm, open this link within 24 hours:

{{link}}

If you did not ask for this, ignore this email.`,
  },
  email_confirmation: {
    subject: 'Confirm your email address',
    text: `An account at {{service}} was created with this email address.

To confirm that the address is yours, open this link within 24 hours:

{{link}}

If you did not create the account, ignore this email.`,
  },
  password_changed: notice(
    'Your password was changed',
    'The password of your login at {{service}} was changed on {{time}}.',
  ),
  factor_added: notice(
    'A second factor was added',
    'A second factor was added to your login at {{service}} on {{time}}.',
  ),
  factor_removed: notice(
    'A second factor was removed',
    'A second factor was removed from your login at {{service}} on {{time}}.',
  ),
  recovery_codes_created: notice(
    'New recovery codes were created',
    'New recovery codes were created for your login at {{service}} on {{time}}. The previous ones no longer work.',
  ),
  factors_reset: {
    subject: 'Second factors were removed',
    text: `The operator of {{service}} removed the second factors of {{name}} on {{time}}. The password is now enough to sign in.

If nobody asked for this, contact the operator of the service.`,
  },
  codes_locked: {
    subject: 'Too many wrong codes',
    text: `Someone who knows the password of your login at {{service}} entered ten wrong codes within 24 hours, most recently on {{time}}. Codes are rejected for the next 24 hours, except for three more attempts from addresses you have used before. Passkeys still work.

If this was not you, change your password at {{service}}. Nobody can try codes without it.`,
  },
  new_sign_in: notice(
    'New sign-in to your account',
    'Your login at {{service}} was used from a new network address, {{address}}, on {{time}}.',
  ),
  api_key_created: notice(
    'An API key was created',
    '{{actor}} created the API key {{name}} in your account at {{service}} on {{time}}.',
  ),
  signing_keys_rotated: notice(
    'Your signing keys were rotated',
    '{{actor}} rotated the signing keys of your account at {{service}} on {{time}}.',
  ),
  ownership_transferred: {
    subject: 'The owner of your account changed',
    text: `The account at {{service}} has had a new owner since {{time}}. Your role is now: {{role}}.

If you did not expect this, contact the operator of the service.`,
  },
  portal_link: {
    subject: 'Sign in to {{vendor}}',
    text: `Someone asked for a link to your licenses from {{vendor}}.

To sign in, open this link within 15 minutes:

{{link}}

If you did not ask for this, ignore this email.`,
  },
  email_changed: {
    subject: 'Your email address was changed',
    text: `The email address of your login at {{service}} was changed to {{email}} on {{time}}. This address can no longer be used to sign in.

If this was not you, ask the operator of the service to change it back.`,
  },
};
