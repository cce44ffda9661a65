import type { EventKind, EventType } from '../api/types.js';

export const events: Record<EventType, string> = {
  'client.created': 'Customer created',
  'client.updated': 'Customer updated',
  'client.deleted': 'Customer deleted',
  'client.restored': 'Customer restored',
  'client.erased': 'Customer’s personal data erased',
  'client.portal_link_created': 'Portal link created',
  'client.signed_in': 'Signed in to the portal',
  'portal.updated': 'Portal settings changed',
  'project.created': 'Project created',
  'project.updated': 'Project updated',
  'project.deleted': 'Project deleted',
  'project.restored': 'Project restored',
  'license.created': 'Created',
  'license.updated': 'Updated',
  'license.activated': 'Activated',
  'license.activation_rejected': 'Activation rejected',
  'license.renewed': 'Renewed',
  'license.suspended': 'Suspended',
  'license.resumed': 'Resumed',
  'license.revoked': 'Revoked',
  'license.reissued': 'Reissued',
  'license.machine_released': 'Machine released',
  'license.certificate_issued': 'Certificate issued',
  'license.key_sent': 'Key sent by email',
  'license.expiring': 'Expiring soon',
  'license.updates_expiring': 'Updates end soon',
  'license.expired': 'Expired',
  'license.deleted': 'Deleted',
  'license.restored': 'Restored',
  'license.imported': 'Imported',
  'licenses.exported': 'Licenses exported with keys',
  'license.events_omitted': 'Events omitted',
  'plan.created': 'Plan created',
  'plan.updated': 'Plan updated',
  'plan.deleted': 'Plan deleted',
  'api_key.created': 'API key created',
  'api_key.deleted': 'API key deleted',
  'member.invited': 'Member invited',
  'member.joined': 'Member joined',
  'member.changed': 'Member role changed',
  'member.removed': 'Member removed',
  'webhook.created': 'Webhook created',
  'webhook.updated': 'Webhook updated',
  'webhook.deleted': 'Webhook deleted',
  'webhook.disabled': 'Webhook disabled automatically',
  'webhook.secret_rotated': 'Webhook secret rotated',
  'webhook.test': 'Test event',
  'mail_template.updated': 'Mail template changed',
  'signing_keys.rotated': 'Signing keys rotated',
  'session.ended': 'Session ended',
  'account.created': 'Account created',
  'account.logged_in': 'Signed in',
  'account.login_failed': 'Sign-in failed',
  'account.password_changed': 'Password changed',
  'account.disabled': 'Account disabled',
  'account.events_omitted': 'Events omitted',
  'account.factor_added': 'Second factor added',
  'account.factor_removed': 'Second factor removed',
  'account.factors_reset': 'Second factors removed by your administrator',
  'account.recovery_codes_created': 'Recovery codes created',
  'account.codes_locked': 'Codes locked after too many wrong ones',
  'account.policy_changed': 'Policy changed',
};

/** License events whose names already say what they are about. */
const COMPLETE: readonly EventType[] = ['license.machine_released', 'license.certificate_issued'];

/** The name of an event type in a list that mixes all kinds. */
export const fullNameOf = (type: EventType): string =>
  type.startsWith('license.') && !COMPLETE.includes(type)
    ? `License ${events[type].toLowerCase()}`
    : events[type];

/** The names of event kinds. A kind is the part of the type before the dot. */
export const kinds: Record<EventKind, string> = {
  client: 'Customers',
  portal: 'Portal',
  project: 'Projects',
  license: 'Licenses',
  licenses: 'License exports',
  plan: 'Plans',
  api_key: 'API keys',
  member: 'Members',
  webhook: 'Webhooks',
  mail_template: 'Mail templates',
  signing_keys: 'Signing keys',
  session: 'Sessions',
  account: 'Account',
};

/** All events of a kind. */
export const allOf: Record<EventKind, string> = {
  client: 'All customer events',
  portal: 'All portal events',
  project: 'All project events',
  license: 'All license events',
  licenses: 'All license exports',
  plan: 'All plan events',
  api_key: 'All API key events',
  member: 'All member events',
  webhook: 'All webhook events',
  mail_template: 'All mail template events',
  signing_keys: 'All signing key events',
  session: 'All session events',
  account: 'All account events',
};

/** Who caused an event that is recorded with the service as its actor. Other such events happen automatically. */
export const causes: Partial<Record<EventType, string>> = {
  'account.login_failed': 'Unknown user',
  'account.password_changed': 'Your administrator',
  'account.disabled': 'Your administrator',
};

/** Why an activation was rejected, or why the service disabled a webhook. */
export const rejections: Record<string, string> = {
  revoked: 'The license is revoked',
  suspended: 'The license is suspended',
  expired: 'The license has expired',
  other_machine: 'Already in use on another machine',
  machine_limit: 'All seats were in use',
  gone: 'The endpoint responded with 410 Gone',
  failing: 'No delivery succeeded for five days',
  backlog: 'Too many pending deliveries',
  trial_used: 'This machine has already used a license of this plan',
};
