import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiCertificate, ApiRejection } from '../../certificates/dto/api-certificate.decorator.js';
import { ApiOneOf } from '../../openapi/decorators/api-route.js';
import { ErrorBody } from '../../shared/errors/error-body.response.js';
import { ApiInteger, ApiTimestamp } from '../../shared/fields/response.decorators.js';

const ApiAlways = (value: boolean) =>
  ApiProperty({ description: `Always ${value}`, type: Boolean, example: value });

/** The base class of a response with a `message` that says what happened. */
function Success(example: string) {
  class SuccessResponse {
    @ApiAlways(true)
    success!: true;

    @ApiProperty({ description: 'What happened', example })
    message!: string;
  }
  return SuccessResponse;
}

export class ActivationResponse extends Success('License activated') {
  @ApiPropertyOptional({
    description: 'Hash of the machine. Present if this request gave it a seat.',
    pattern: '^[0-9a-f]{64}$',
    example: '3f0a6c2de1b94857a6b0c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f70',
  })
  machineId?: string;

  @ApiTimestamp('Time of the first activation, when the term starts')
  activatedAt!: Date;

  @ApiTimestamp('When the license expires; null if perpetual', {
    nullable: true,
    example: '2026-07-31T10:15:00.000Z',
  })
  expiresAt!: Date | null;

  @ApiTimestamp('When updates end; absent if they are unlimited', {
    required: false,
    example: '2027-01-31T10:15:00.000Z',
  })
  updatesUntil?: Date;

  @ApiTimestamp('When the lease expires if there is no heartbeat; only for floating licenses', {
    required: false,
  })
  leaseEndsAt?: Date;

  @ApiCertificate('A certificate for this machine, if requested', { required: false })
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
      message: 'License activated',
      machineId: '3f0a6c2de1b94857a6b0c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f70',
      ...TERM_EXAMPLE,
    },
  },
  again: {
    summary: 'Activation repeated on the same machine',
    value: { success: true, message: 'License already activated on this machine', ...TERM_EXAMPLE },
  },
};

export class HeartbeatResponse extends Success('Lease extended') {
  @ApiTimestamp('When the lease expires if there is no further heartbeat')
  leaseEndsAt!: Date;

  @ApiCertificate('A certificate for this machine that expires with the lease, if requested', {
    required: false,
  })
  certificate?: string;
}

export class ReleaseResponse extends Success('License released from this machine') {}

/** The body of every error of activations, heartbeats and releases, except the 429 of an activation. */
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
    description: 'What went wrong, for humans',
    example: 'too many requests, please try again later.',
  })
  errors!: string;

  @ApiInteger('HTTP status of the response', { example: 429 })
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
