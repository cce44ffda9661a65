import { VALIDATION_STATUSES, type ValidationStatus } from '../decide-validation.js';
import { VALIDATION_MESSAGES, type ValidationResponse } from './validation.response.js';

type Example = Partial<Record<keyof ValidationResponse, unknown>>;

const expiresAt = '2026-07-31T10:15:00.000Z';

/** What the statuses have that says more. */
const DETAILS: Partial<Record<ValidationStatus, Example>> = {
  active: {
    duration: 6,
    services: ['Hosting'],
    activatedAt: '2026-01-31T10:15:00.000Z',
    expiresAt,
  },
  expired: { expiresAt },
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
