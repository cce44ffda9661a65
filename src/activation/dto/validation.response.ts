import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ErrorBody } from '../../shared/errors/error-body.response.js';
import { ApiInteger, ApiTimestamp } from '../../shared/fields/response.decorators.js';
import { ApiCertificate, ApiRejection } from '../../certificates/dto/api-certificate.decorator.js';
import { MAX_DURATION, MIN_DURATION } from '../../licenses/term.js';
import { VALIDATION_MESSAGES, VALIDATION_STATUSES, type ValidationStatus } from '../decisions.js';
import { TERM_EXAMPLE } from './activation.response.js';

export class SeatsUsedDto {
  @ApiInteger('Seats in use', { minimum: 0, example: 5 })
  used!: number;

  @ApiInteger('Seats of the license', { minimum: 1, example: 5 })
  max!: number;
}

export class ValidationResponse {
  @ApiProperty({
    description: 'True if the software may run, that is, if `status` is `active`',
    example: true,
  })
  valid!: boolean;

  @ApiProperty({
    description: 'Whether the license can be used on this machine, or why not',
    enum: VALIDATION_STATUSES,
    enumName: 'ValidationStatus',
    example: 'active',
  })
  status!: ValidationStatus;

  @ApiProperty({ description: 'The status, for humans', example: 'License is valid' })
  message!: string;

  @ApiInteger(
    'Months the license was issued for, or null. Present only if the license is active.',
    {
      minimum: MIN_DURATION,
      maximum: MAX_DURATION,
      example: 6,
      nullable: true,
      required: false,
    },
  )
  duration?: number | null;

  @ApiPropertyOptional({
    description: 'Services included in the license. Present only if the license is active.',
    type: [String],
    example: ['Hosting'],
  })
  services?: readonly string[];

  @ApiPropertyOptional({
    description: 'Features of the license. Present only if the license is active.',
    type: [String],
    example: ['export.pdf'],
  })
  entitlements?: readonly string[];

  @ApiTimestamp('Time of the first activation; only if active', { required: false })
  activatedAt?: Date;

  @ApiTimestamp('When the license expires, or null if perpetual; only if active or expired', {
    nullable: true,
    required: false,
    example: '2026-07-31T10:15:00.000Z',
  })
  expiresAt?: Date | null;

  @ApiTimestamp('When updates end; absent if they are unlimited; only if active', {
    required: false,
    example: '2027-01-31T10:15:00.000Z',
  })
  updatesUntil?: Date | undefined;

  @ApiTimestamp(
    'When the lease expires if there is no heartbeat; only for active floating licenses',
    { required: false },
  )
  leaseEndsAt?: Date | undefined;

  @ApiPropertyOptional({
    description:
      'Seats of the license. Present if this machine holds no seat. Absent if the license has a single seat without a ' +
      'lease and another machine holds it.',
    type: () => SeatsUsedDto,
  })
  machines?: SeatsUsedDto;

  @ApiCertificate('A certificate for this machine, if requested; only if active', {
    required: false,
  })
  certificate?: string | undefined;

  @ApiRejection()
  rejection?: string;
}

type Example = Partial<Record<keyof ValidationResponse, unknown>>;

/** Fields that only some statuses have. */
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
