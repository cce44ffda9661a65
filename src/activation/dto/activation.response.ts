import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiCertificate, ApiRejection } from '../../certificates/dto/api-certificate.decorator.js';
import { ApiOneOf } from '../../openapi/decorators/api-route.js';
import { ErrorBody } from '../../shared/errors/error-body.response.js';
import { ApiInteger, ApiTimestamp } from '../../shared/fields/response.decorators.js';

const ApiAlways = (value: boolean) =>
  ApiProperty({ description: `Always ${value}`, type: Boolean, example: value });

/** The base class of a response that says what has happened. */
function Success(example: string) {
  class SuccessResponse {
    @ApiAlways(true)
    success!: true;

    @ApiProperty({ description: 'What has happened', example })
    message!: string;
  }
  return SuccessResponse;
}

export class ActivationResponse extends Success('License activated successfully') {
  @ApiPropertyOptional({
    description: 'Hash of the machine, if it has taken a seat now',
    pattern: '^[0-9a-f]{64}$',
    example: '3f0a6c2de1b94857a6b0c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f70',
  })
  machineId?: string;

  @ApiTimestamp('The first activation, with which the term begins')
  activatedAt!: Date;

  @ApiTimestamp('End of the term; null for a license without an end', {
    nullable: true,
    example: '2026-07-31T10:15:00.000Z',
  })
  expiresAt!: Date | null;

  @ApiTimestamp('Until when updates are included; absent if without limit', {
    required: false,
    example: '2027-01-31T10:15:00.000Z',
  })
  updatesUntil?: Date;

  @ApiTimestamp(
    'Until when the machine holds its seat without a heartbeat; only for a license with leases',
    { required: false },
  )
  leaseEndsAt?: Date;

  @ApiCertificate('A certificate for this machine; where it was requested', { required: false })
  certificate?: string;
}

export const TERM_EXAMPLE = {
  activatedAt: '2026-01-31T10:15:00.000Z',
  expiresAt: '2026-07-31T10:15:00.000Z',
};

export const ACTIVATION_EXAMPLES = {
  first: {
    summary: 'The first activation',
    value: {
      success: true,
      message: 'License activated successfully',
      machineId: '3f0a6c2de1b94857a6b0c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f70',
      ...TERM_EXAMPLE,
    },
  },
  again: {
    summary: 'A later one on the same machine',
    value: { success: true, message: 'License already activated on this machine', ...TERM_EXAMPLE },
  },
};

export class HeartbeatResponse extends Success('Lease extended successfully') {
  @ApiTimestamp('Until when the machine holds its seat without another heartbeat')
  leaseEndsAt!: Date;

  @ApiCertificate(
    'A certificate for this machine, which ends with the lease; only if it was requested',
    { required: false },
  )
  certificate?: string;
}

export class ReleaseResponse extends Success('License released from this machine') {}

/** The body of every error of an activation, a heartbeat and a release, except the 429 of an activation. */
export class ActivationErrorBody extends ErrorBody {
  @ApiAlways(false)
  success!: false;

  @ApiRejection()
  rejection?: string;
}

/** The exact body of a 429 of POST /validate/activate (specification, section 7). */
export class ActivationLimitResponse {
  @ApiAlways(false)
  success!: false;

  @ApiProperty({
    description: 'What went wrong, for people',
    example: 'too many requests, please try again later.',
  })
  errors!: string;

  @ApiInteger('The status of the response', { example: 429 })
  status!: number;
}

/** One schema for all errors of the operation (decision 0016). */
@ApiOneOf(ActivationErrorBody, ActivationLimitResponse)
export class ActivationError {}

export const ACTIVATION_LIMIT_BODY: ActivationLimitResponse = {
  success: false,
  errors: 'too many requests, please try again later.',
  status: 429,
};
