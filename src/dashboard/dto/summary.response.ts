import { ApiProperty } from '@nestjs/swagger';
import type { LicenseCounts } from '../dashboard.js';
import { Count } from './dashboard.response.js';

/** The number of licenses of each status. */
export class LicensesByStatus {
  @Count('Never activated')
  PENDING!: number;

  @Count('Activated, and not expired')
  ACTIVE!: number;

  @Count('Past the end of their term')
  EXPIRED!: number;

  @Count('Revoked')
  REVOKED!: number;
}

/** The activations of a day. */
export class ActivationsOfDay {
  @ApiProperty({ description: 'The day, UTC', type: String, format: 'date', example: '2026-01-31' })
  date!: string;

  @Count('Licenses that were activated for the first time')
  count!: number;
}

/** Response of GET /dashboard/summary. */
export class SummaryResponse {
  @ApiProperty({ type: LicensesByStatus })
  licensesByStatus!: LicensesByStatus;

  @Count('Active licenses that expire within 7 days')
  expiringWithin7Days!: number;

  @Count('Active licenses that expire within 30 days, those within 7 included')
  expiringWithin30Days!: number;

  @ApiProperty({ type: [ActivationsOfDay], description: 'One entry a day, the oldest first' })
  activationsPerDay!: ActivationsOfDay[];
}

export function toSummaryResponse(counts: LicenseCounts): SummaryResponse {
  const [within7Days = 0, within30Days = 0] = counts.expiringBy;
  return {
    licensesByStatus: {
      PENDING: counts.pending,
      ACTIVE: counts.active,
      EXPIRED: counts.expired,
      REVOKED: counts.revoked,
    },
    expiringWithin7Days: within7Days,
    expiringWithin30Days: within30Days,
    activationsPerDay: counts.activations.map(({ date, count }) => ({ date, count })),
  };
}
