import { ApiProperty } from '@nestjs/swagger';
import { Count } from './dashboard.response.js';

export class LicensesByStatus {
  @Count('Never activated')
  PENDING!: number;

  @Count('Activated, and not expired')
  ACTIVE!: number;

  @Count('Past the end of their term')
  EXPIRED!: number;

  @Count('Suspended, past the end of their term or not')
  SUSPENDED!: number;

  @Count('Revoked')
  REVOKED!: number;
}

export class ActivationsOfDay {
  @ApiProperty({ description: 'The day, UTC', type: String, format: 'date', example: '2026-01-31' })
  date!: string;

  @Count('Licenses that were activated for the first time')
  count!: number;
}

export class SummaryResponse {
  @ApiProperty({ type: LicensesByStatus })
  licensesByStatus!: LicensesByStatus;

  @Count('Active licenses that expire within 7 days')
  expiringWithin7Days!: number;

  @Count('Active licenses that expire within 30 days, those within 7 included')
  expiringWithin30Days!: number;

  @ApiProperty({ type: [ActivationsOfDay], description: 'One entry a day, the oldest first' })
  activationsPerDay!: readonly ActivationsOfDay[];
}
