import type { EventKind, EventType } from '../api/types.js';

export const events: Record<EventType, string> = {
  'client.created': 'Client created',
  'client.updated': 'Client changed',
  'client.deleted': 'Client deleted',
  'project.created': 'Project created',
  'project.updated': 'Project changed',
  'project.deleted': 'Project deleted',
  'license.created': 'Created',
  'license.updated': 'Changed',
  'license.activated': 'Activated',
  'license.activation_rejected': 'Activation rejected',
  'license.renewed': 'Renewed',
  'license.suspended': 'Suspended',
  'license.resumed': 'Resumed',
  'license.revoked': 'Revoked',
  'license.reissued': 'Reissued',
  'license.machine_released': 'Machine released',
  'license.certificate_issued': 'Certificate issued',
  'license.expiring': 'Expires soon',
  'license.expired': 'Expired',
  'license.deleted': 'Deleted',
  'license.events_omitted': 'Events omitted',
  'plan.created': 'Plan created',
  'plan.updated': 'Plan changed',
  'plan.deleted': 'Plan deleted',
  'api_key.created': 'API key created',
  'api_key.deleted': 'API key deleted',
  'member.invited': 'Member invited',
  'member.joined': 'Member joined',
  'member.changed': 'Member changed',
  'member.removed': 'Member removed',
  'webhook.created': 'Webhook created',
  'webhook.updated': 'Webhook changed',
  'webhook.deleted': 'Webhook deleted',
  'webhook.disabled': 'Webhook disabled by the service',
  'webhook.secret_rotated': 'Webhook secret rotated',
  'webhook.test': 'Webhook tested',
  'signing_keys.rotated': 'Signing keys rotated',
  'session.ended': 'Session ended',
  'account.logged_in': 'Logged in',
  'account.login_failed': 'Login failed',
  'account.password_changed': 'Password changed',
  'account.disabled': 'Account disabled',
  'account.events_omitted': 'Events omitted',
};

/** The name of a type beside those of all kinds. */
export const fullNameOf = (type: EventType): string =>
  type.startsWith('license.') ? `License ${events[type].toLowerCase()}` : events[type];

/** What events are about: the part of their types before the dot. */
export const kinds: Record<EventKind, string> = {
  client: 'Clients',
  project: 'Projects',
  license: 'Licenses',
  plan: 'Plans',
  api_key: 'API keys',
  member: 'Members',
  webhook: 'Webhooks',
  signing_keys: 'Signing keys',
  session: 'Sessions',
  account: 'Account',
};

/** All events of a kind. */
export const allOf: Record<EventKind, string> = {
  client: 'All client events',
  project: 'All project events',
  license: 'All license events',
  plan: 'All plan events',
  api_key: 'All API key events',
  member: 'All member events',
  webhook: 'All webhook events',
  signing_keys: 'All signing key events',
  session: 'All session events',
  account: 'All account events',
};

/** Who has caused what the service stores as its own; everything else of its own it did by itself. */
export const causes: Partial<Record<EventType, string>> = {
  'account.login_failed': 'Somebody unknown',
  'account.password_changed': 'The operator',
  'account.disabled': 'The operator',
};

/** Of rejected activations, and of webhooks that the service has disabled. */
export const rejections: Record<string, string> = {
  revoked: 'The license is revoked',
  suspended: 'The license is suspended',
  expired: 'The license has expired',
  other_machine: 'It came from another machine',
  machine_limit: 'All seats were taken',
  gone: 'It responded with 410 Gone',
  failing: 'No delivery succeeded for five days',
  backlog: 'Too many deliveries were pending',
  trial_used: 'The machine had used another license of the plan',
};
