import { titles } from '../app/navigation-texts.js';
import type { Delivery, Webhook } from '../api/types.js';

export const webhooks = {
  title: titles.webhooks,
  webhook: 'Webhook',
  details:
    'Get notified at a URL when something happens, such as when a license is activated or about to expire.',
  none: 'No webhooks yet',
  noneDetails: 'Add the URL that should receive your events.',
  new: 'New webhook',
  url: 'URL',
  urlHint: 'A public https:// URL, e.g. https://shop.example.com/hooks',
  types: 'Events',
  all: 'all',
  typeRequired: 'Choose at least one type of event',
  allTypes: 'All events',
  description: 'Description',
  descriptionHint: 'Optional. For example, Web shop orders.',
  created: 'Created',
  delivered: 'Delivered',
  rate: (delivered: number, attempted: number) =>
    `${Math.floor((100 * delivered) / attempted)}% of the last ${attempted}`,
  by: (name: string) => `by ${name}`,
  status: 'Status',
  changed: 'Updated',
  failing: 'Failing',
  since: 'since',
  failingSince: 'Failing since',

  done: 'Webhook created',
  secretDetails:
    "Copy the secret now; you won't see it again. Use it to verify that messages come from this service.",
  secret: 'Secret',
  copySecret: 'Copy secret',
  secretLost: 'The response with the secret was lost. Rotate the secret to get a new one.',

  edit: 'Edit',
  editTitle: (name: string) => `Edit webhook ${name}`,
  enable: 'Enable',
  enableTitle: (name: string) => `Enable webhook ${name}?`,
  enableDetails: 'Only new events are sent.',
  disable: 'Disable',
  disableTitle: (name: string) => `Disable webhook ${name}?`,
  disableDetails: 'No events are sent until you enable it again. Pending deliveries are dropped.',
  isEnabled: (name: string) => `Enabled webhook ${name}`,
  isDisabled: (name: string) => `Disabled webhook ${name}`,
  rotate: 'Rotate secret',
  rotateTitle: (name: string) => `Rotate the secret for ${name}?`,
  rotateDetails:
    'You get a new secret, shown only once. For 24 hours, messages are signed with both secrets, so you have time to switch.',
  expireOld: 'Stop using the old secret immediately',
  expireOldHint: 'Use this if it leaked. Your app rejects messages until it has the new secret.',
  rotated: 'Secret rotated',
  test: 'Send test',
  tested: 'Test event sent',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete webhook ${name}?`,
  deleteDetails: "No more events are sent, and its deliveries are deleted. This can't be undone.",
};

export const webhookStatus: Record<Webhook['status'], string> = {
  enabled: 'Enabled',
  disabled: 'Disabled',
};

export const disabledReasons: Record<NonNullable<Webhook['disabledReason']>, string> = {
  request: 'by your account',
  gone: 'because it responded with 410 Gone',
  failing: 'because no delivery succeeded for five days',
  backlog: 'because of too many pending deliveries',
};

export const deliveries = {
  title: 'Deliveries',
  undelivered: (name: string) => `Not delivered to ${name}`,
  intro: 'Newest first. Deleted after 30 days.',
  any: 'Any',
  none: 'No deliveries yet',
  notFound: 'No deliveries match',
  event: 'Event',
  attempts: 'Attempts',
  lastAttempt: 'Last attempt',
  result: 'Result',
  nextAttempt: 'Next attempt',
  responded: (status: number) => `HTTP ${status}`,
  details: 'Details',
  detailsOf: (event: string) => `Details of ${event}`,
  noAttempts: 'None yet',
  took: (milliseconds: number) =>
    milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`,
  response: 'Response',
  emptyResponse: 'Empty response',
  request: 'Request',
  requestDetails: 'Every attempt sends this body.',
  copyRequest: 'Copy request',
  again: 'Send again',
  againDone: 'Sending again',
  whileDisabled: 'Enable the webhook to send tests and redeliver.',
  retrying: 'Retrying',
  pendingOrRetrying: 'Pending or retrying',
};

export const deliveryStatus: Record<Delivery['status'], string> = {
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
};

/** Why an attempt failed. */
export const deliveryErrors: Record<NonNullable<Delivery['error']>, string> = {
  unexpected_status: 'Failed',
  redirect: 'Redirects are not followed',
  timeout: 'No response within 15 seconds',
  connection_failed: 'Connection failed or closed early',
  tls_failed: 'TLS certificate not valid for this URL',
  invalid_response: 'Not an HTTP response',
  name_not_resolved: 'Host name not found in DNS',
  address_not_allowed: 'The host name points to an address that is not public',
  webhook_disabled: 'Webhook disabled',
};
