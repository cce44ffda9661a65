import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiTimestamp } from '../../shared/fields/response.decorators.js';
import { ApiCertificate } from '../../certificates/dto/api-certificate.decorator.js';
import { endOfLicense, type License } from '../../licenses/license.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import type { ErrorCode } from '../../shared/errors/error-codes.js';
import type { ActivationOutcome } from '../activation.service.js';

export class ActivationResponse {
  @ApiProperty({ description: 'Always true', type: Boolean, example: true })
  success!: true;

  @ApiProperty({ description: 'What has happened', example: 'License activated successfully' })
  message!: string;

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

  @ApiTimestamp(
    'Until when the machine holds its seat without a heartbeat; only for a license with leases',
    {
      required: false,
    },
  )
  leaseEndsAt?: Date;

  @ApiCertificate('A certificate for this machine; where it was requested', { required: false })
  certificate?: string;
}

/** @throws DomainError for every rejection */
export function toActivationResponse(result: ActivationOutcome): ActivationResponse {
  switch (result.outcome) {
    case 'activated': {
      const { machineId } = result.machine;
      return { ...success('License activated successfully', result), machineId };
    }
    case 'already_active':
      return success('License already activated on this machine', result);
    case 'not_found':
      throw new DomainError('LICENSE_NOT_FOUND');
    case 'revoked':
      throw rejected('LICENSE_REVOKED', result);
    case 'suspended':
      throw rejected('LICENSE_SUSPENDED', result);
    case 'expired':
      throw rejected('LICENSE_EXPIRED', result);
    case 'other_machine':
      throw rejected('LICENSE_ON_ANOTHER_MACHINE', result);
    case 'trial_used':
      throw new DomainError('TRIAL_USED', {}, { cause: result.unrecorded });
    case 'machine_limit': {
      const { machines, unrecorded } = result;
      throw new DomainError('MACHINE_LIMIT_REACHED', { machines }, { cause: unrecorded });
    }
  }
}

function rejected(
  code: ErrorCode,
  { rejection, unrecorded }: Extract<ActivationOutcome, { unrecorded?: Error | undefined }>,
): DomainError {
  return new DomainError(code, rejection === undefined ? {} : { rejection }, { cause: unrecorded });
}

function success(
  message: string,
  { license, leaseEndsAt, certificate }: Extract<ActivationOutcome, { license: License }>,
): ActivationResponse {
  return {
    success: true,
    message,
    activatedAt: license.activatedAt!,
    expiresAt: endOfLicense(license),
    ...(leaseEndsAt && { leaseEndsAt }),
    ...(certificate !== undefined && { certificate }),
  };
}
