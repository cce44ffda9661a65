import { VALIDATION_STATUSES, type ValidationStatus } from '../decisions.js';
import { VALIDATION_MESSAGES, type ValidationResponse } from './validation.response.js';

const term = { activatedAt: '2026-01-31T10:15:00.000Z', expiresAt: '2026-07-31T10:15:00.000Z' };

export const ACTIVATION_EXAMPLES = {
  first: {
    summary: 'The first activation',
    value: {
      success: true,
      message: 'License activated successfully',
      machineId: '3f0a6c2de1b94857a6b0c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f70',
      ...term,
    },
  },
  again: {
    summary: 'A later one on the same machine',
    value: { success: true, message: 'License already activated on this machine', ...term },
  },
};

type Example = Partial<Record<keyof ValidationResponse, unknown>>;

/** Further fields of some statuses. */
const DETAILS: Partial<Record<ValidationStatus, Example>> = {
  active: { duration: 6, services: ['Hosting'], entitlements: ['export.pdf'], ...term },
  expired: { expiresAt: term.expiresAt },
  machine_mismatch: { machines: { used: 5, max: 5 } },
};

/** A response of POST /validate for each status. */
export const VALIDATION_EXAMPLES = Object.fromEntries(
  VALIDATION_STATUSES.map((status) => [
    status,
    {
      summary: VALIDATION_MESSAGES[status],
      value: {
        valid: status === 'active',
        status,
        message: VALIDATION_MESSAGES[status],
        ...DETAILS[status],
      } satisfies Example,
    },
  ]),
);
