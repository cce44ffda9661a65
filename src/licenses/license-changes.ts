import { changesOf, type EventData, type EventDetails } from '../events/event.js';
import { type Renewal, renewed, resumed, revoked, suspended } from './license-transitions.js';
import { endOfLicense, type License, statusOf } from './license.js';

/** A change of a license, and the event that records it. */
export interface LicenseChange {
  readonly type: 'revoked' | 'renewed' | 'suspended' | 'resumed' | 'updated';
  /** Returns the same license if nothing changes. */
  readonly apply: (before: License, now: Date) => License | Promise<License>;
  readonly dataOf: (before: License, after: License, now: Date) => EventData;
  /** Defaults to the current request. */
  readonly cause?: Pick<EventDetails, 'by' | 'requestId'>;
}

/** Revokes a license permanently. */
export const revocation = (
  reason: string | null = null,
  cause: LicenseChange['cause'] = {},
): LicenseChange => ({
  type: 'revoked',
  apply: (before, now) => revoked(before, reason, now),
  dataOf: () => ({ reason }),
  cause,
});

/** Suspends a license until it is resumed. */
export const suspension = (reason: string | null = null): LicenseChange => ({
  type: 'suspended',
  apply: (before, now) => suspended(before, reason, now),
  dataOf: (before, after, now) => ({ ...statuses(before, after, now), reason }),
});

export const RESUMPTION: LicenseChange = { type: 'resumed', apply: resumed, dataOf: statuses };

/** Extends the term or the updates of a license. An expired license starts a new term. */
export const renewalBy = (renewal: Renewal): LicenseChange => ({
  type: 'renewed',
  apply: (before, now) => renewed(before, renewal, now),
  dataOf(before, after) {
    const { length, updatesDays } = renewal;
    return {
      ...(length && { expiresAt: [endOfLicense(before), endOfLicense(after)], ...length }),
      ...(updatesDays && { ...changesOf(before, after, ['updatesUntil']), updatesDays }),
    };
  },
});

function statuses(before: License, after: License, now: Date): EventData {
  return { status: [statusOf(before, now), statusOf(after, now)] };
}
