import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ErrorBody } from '../../shared/errors/error-body.response.js';
import { ApiInteger, ApiTimestamp } from '../../shared/fields/response.decorators.js';
import { ApiCertificate, ApiRejection } from '../../certificates/dto/api-certificate.decorator.js';
import { SERVICES } from '../../licenses/license.js';
import { MAX_DURATION, MIN_DURATION } from '../../licenses/term.js';
import { VALIDATION_MESSAGES, VALIDATION_STATUSES, type ValidationStatus } from '../decisions.js';
import { TERM_EXAMPLE } from './activation.response.js';

export class SeatsUsedDto {
  @ApiInteger('Seats that are taken', { minimum: 0, example: 5 })
  used!: number;

  @ApiInteger('Seats of the license', { minimum: 1, example: 5 })
  max!: number;
}

export class ValidationResponse {
  @ApiProperty({ description: 'Whether the software may run: `status` is `active`', example: true })
  valid!: boolean;

  @ApiProperty({
    description: 'Why it may, or may not',
    enum: VALIDATION_STATUSES,
    enumName: 'ValidationStatus',
    example: 'active',
  })
  status!: ValidationStatus;

  @ApiProperty({ description: 'The same, for people', example: 'License is valid' })
  message!: string;

  @ApiInteger('Months that the license was issued for, or null; of an active license', {
    minimum: MIN_DURATION,
    maximum: MAX_DURATION,
    example: 6,
    nullable: true,
    required: false,
  })
  duration?: number | null;

  @ApiPropertyOptional({
    description: 'What the license includes; of an active license',
    enum: SERVICES,
    enumName: 'LicensedService',
    isArray: true,
    example: ['Hosting'],
  })
  services?: readonly string[];

  @ApiPropertyOptional({
    description: 'The features that the license includes; of an active license',
    type: [String],
    example: ['export.pdf'],
  })
  entitlements?: readonly string[];

  @ApiTimestamp('The first activation; of an active license', { required: false })
  activatedAt?: Date;

  @ApiTimestamp('End of the term, or null without one; of an active or expired license', {
    nullable: true,
    required: false,
    example: '2026-07-31T10:15:00.000Z',
  })
  expiresAt?: Date | null;

  @ApiTimestamp('Until when updates are included; absent if without limit; of an active license', {
    required: false,
    example: '2027-01-31T10:15:00.000Z',
  })
  updatesUntil?: Date;

  @ApiTimestamp(
    'Until when this machine holds its seat without a heartbeat; only for an active license with leases',
    { required: false },
  )
  leaseEndsAt?: Date;

  @ApiPropertyOptional({
    description:
      'The seats that are taken; for a machine without one, if the license has several seats, has leases, or is free',
    type: () => SeatsUsedDto,
  })
  machines?: SeatsUsedDto;

  @ApiCertificate('A certificate for this machine; of an active license, where it was requested', {
    required: false,
  })
  certificate?: string;

  @ApiRejection()
  rejection?: string;
}

type Example = Partial<Record<keyof ValidationResponse, unknown>>;

/** Further fields of some statuses. */
const DETAILS: Partial<Record<ValidationStatus, Example>> = {
  active: { duration: 6, services: ['Hosting'], entitlements: ['export.pdf'], ...TERM_EXAMPLE },
  expired: { expiresAt: TERM_EXAMPLE.expiresAt },
  machine_mismatch: { machines: { used: 5, max: 5 } },
};

/** A response of POST /validate for each status. */
export const VALIDATION_EXAMPLES = Object.fromEntries(
  VALIDATION_STATUSES.map((status) => {
    const message = VALIDATION_MESSAGES[status];
    const value: Example = { valid: status === 'active', status, message, ...DETAILS[status] };
    return [status, { summary: message, value }];
  }),
);

/** The body of every error of POST /validate. */
export class LicenseValidationErrorBody extends ErrorBody {
  @ApiProperty({ description: 'Always false', type: Boolean, example: false })
  valid!: false;
}
