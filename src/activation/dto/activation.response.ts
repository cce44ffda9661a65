import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiTimestamp } from '../../shared/fields/response.decorators.js';
import { ApiCertificate } from '../../certificates/dto/api-certificate.decorator.js';
import type { License } from '../../licenses/license.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import type { ActivationOutcome } from '../activation.service.js';

export class ActivationResponse {
  @ApiProperty({ description: 'Always true', type: Boolean, example: true })
  success!: true;

  @ApiProperty({ description: 'What has happened', example: 'License activated successfully' })
  message!: string;

  @ApiPropertyOptional({
    description:
      'Hash of the machine that the license is now bound to; on the first activation only',
    pattern: '^[0-9a-f]{64}$',
    example: '3f0a6c2de1b94857a6b0c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f70',
  })
  machineId?: string;

  @ApiTimestamp('The first activation, with which the term begins')
  activatedAt!: Date;

  @ApiTimestamp('End of the term', { example: '2026-07-31T10:15:00.000Z' })
  expiresAt!: Date;

  @ApiCertificate('A certificate for this machine; where it was requested', { required: false })
  certificate?: string;
}

/** @throws DomainError for every rejection */
export function toActivationResponse(result: ActivationOutcome): ActivationResponse {
  switch (result.outcome) {
    case 'activated': {
      const machineId = result.license.machineId!;
      return { ...success('License activated successfully', result), machineId };
    }
    case 'already_active':
      return success('License already activated on this machine', result);
    case 'not_found':
      throw new DomainError('LICENSE_NOT_FOUND');
    case 'revoked':
      throw new DomainError('LICENSE_REVOKED', {}, { cause: result.unrecorded });
    case 'expired':
      throw new DomainError('LICENSE_EXPIRED', {}, { cause: result.unrecorded });
    case 'other_machine':
      throw new DomainError('LICENSE_ON_ANOTHER_MACHINE', {}, { cause: result.unrecorded });
  }
}

function success(
  message: string,
  { license, certificate }: Extract<ActivationOutcome, { license: License }>,
): ActivationResponse {
  const { activatedAt, expiresAt } = license;
  return {
    success: true,
    message,
    activatedAt: activatedAt!,
    expiresAt,
    ...(certificate !== undefined && { certificate }),
  };
}
