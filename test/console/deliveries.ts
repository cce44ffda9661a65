const AT = '2026-01-31T10:15:00.000Z';
const DELIVERED = {
  ...{ _id: '1'.repeat(24), event: '1'.repeat(24), type: 'license.renewed', status: 'delivered' },
  ...{ attempts: 1, lastAttemptAt: AT, responseStatus: 204, error: null, nextAttemptAt: null },
};

/** A delivery in each status, and both kinds of failures, as the service responds. */
export const DELIVERIES = [
  {
    ...{ ...DELIVERED, _id: '3'.repeat(24), type: 'license.activation_rejected', attempts: 2 },
    ...{ status: 'pending', responseStatus: null, error: 'address_not_allowed', nextAttemptAt: AT },
  },
  DELIVERED,
  {
    ...{ ...DELIVERED, _id: '2'.repeat(24), type: 'webhook.test', status: 'failed', attempts: 8 },
    ...{ responseStatus: 503, error: 'unexpected_status' },
  },
];
