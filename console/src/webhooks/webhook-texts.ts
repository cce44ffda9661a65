import { titles } from '../app/navigation-texts.js';
import type { Delivery, Webhook } from '../api/types.js';

export const webhooks = {
  title: titles.webhooks,
  webhook: 'Webhook',
  details:
    'Addresses of your systems to which the service sends events: an activation to your shop, the coming end of a license to your mail tool.',
  none: 'No webhooks yet',
  noneDetails: 'Create one with the address of the program that receives the events.',
  new: 'New webhook',
  url: 'Address',
  urlHint: 'https, with a public name. Example: https://shop.example.com/hooks',
  types: 'Events',
  all: 'all',
  typeRequired: 'Choose at least one type of event',
  allTypes: 'All events',
  description: 'Description',
  descriptionHint: 'Optional. What it is for, such as Orders of the web shop',
  created: 'Created',
  by: (name: string) => `by ${name}`,
  status: 'Status',
  changed: 'Changed',
  failingSince: 'Failing since',

  done: 'The new webhook',
  secretDetails:
    'Copy the secret now: it is shown this once. Your program verifies with it that a message comes from this service.',
  secret: 'Secret',
  copySecret: 'Copy secret',
  secretLost: 'The secret was in a response that was lost. Rotate the secret of the webhook.',

  edit: 'Edit',
  editTitle: (host: string) => `Edit the webhook of ${host}`,
  enable: 'Enable',
  enableTitle: (host: string) => `Enable the webhook of ${host}?`,
  enableDetails: 'It begins with new events. What happened while it was disabled is not sent.',
  disable: 'Disable',
  disableTitle: (host: string) => `Disable the webhook of ${host}?`,
  disableDetails:
    'No event is sent to it until you enable it again. Deliveries that are pending fail.',
  isEnabled: 'Webhook enabled successfully',
  isDisabled: 'Webhook disabled successfully',
  rotate: 'Rotate secret',
  rotateTitle: (host: string) => `Rotate the secret of ${host}?`,
  rotateDetails:
    'A new secret is shown once. For 24 hours each message is signed with both secrets, so that your program can change over.',
  expireOld: 'Stop using the former secret at once',
  expireOldHint:
    'For a secret that leaked. Your program rejects messages until it has the new secret.',
  rotated: 'The new secret',
  test: 'Send test',
  tested: 'Test event created: its delivery is listed below',
  delete: 'Delete',
  deleteTitle: (host: string) => `Delete the webhook of ${host}?`,
  deleteDetails:
    'Nothing more is sent to it, and its deliveries are deleted. This cannot be undone.',
  deleted: 'Webhook deleted successfully',
};

export const webhookStatus: Record<Webhook['status'], string> = {
  enabled: 'Enabled',
  disabled: 'Disabled',
};

export const disabledReasons: Record<NonNullable<Webhook['disabledReason']>, string> = {
  request: 'by your account',
  gone: 'because it responded with 410 Gone',
  failing: 'because no delivery succeeded for five days',
  backlog: 'because too many deliveries were pending',
};

export const deliveries = {
  title: 'Deliveries',
  details: 'The newest first. They are kept for 30 days.',
  none: 'No deliveries yet',
  event: 'Event',
  attempts: 'Attempts',
  lastAttempt: 'Last attempt',
  result: 'Result',
  nextAttempt: 'Next attempt',
  responded: (status: number) => `Responded with ${status}`,
  again: 'Send again',
  againDone: 'The message is sent again',
  whileDisabled: 'Enable the webhook to send a test, or a delivery again.',
};

export const deliveryStatus: Record<Delivery['status'], string> = {
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
};

/** Why an attempt has failed. */
export const deliveryErrors: Record<NonNullable<Delivery['error']>, string> = {
  unexpected_status: 'not a success',
  redirect: 'redirects are not followed',
  timeout: 'No response within 15 seconds',
  connection_failed: 'The connection failed, or was closed early',
  tls_failed: 'The TLS certificate is not valid for this address',
  invalid_response: 'The response was not HTTP',
  name_not_resolved: 'The name has no address in the DNS',
  address_not_allowed: 'The name leads to an address that is not public',
  webhook_disabled: 'The webhook was disabled',
};
