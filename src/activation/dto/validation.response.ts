import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiInteger, ApiTimestamp } from '../../shared/fields/response.decorators.js';
import { ApiCertificate } from '../../certificates/dto/api-certificate.decorator.js';
import { type License, MAX_DURATION, MIN_DURATION, SERVICES } from '../../licenses/license.js';
import { keepText } from '../../server/serialize.js';
import type { ValidationResult } from '../activation.service.js';
import { VALIDATION_STATUSES, type ValidationStatus } from '../decisions.js';

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

  @ApiInteger('Months that the license was issued for; of an active license', {
    minimum: MIN_DURATION,
    maximum: MAX_DURATION,
    example: 6,
    required: false,
  })
  duration?: number;

  @ApiPropertyOptional({
    description: 'What the license includes; of an active license',
    enum: SERVICES,
    enumName: 'LicensedService',
    isArray: true,
    example: ['Hosting'],
  })
  services?: string[];

  @ApiTimestamp('The first activation; of an active license', { required: false })
  activatedAt?: string;

  @ApiTimestamp('End of the term; of an active or expired license', {
    required: false,
    example: '2026-07-31T10:15:00.000Z',
  })
  expiresAt?: string;

  @ApiCertificate('A certificate for this machine; of an active license, where it was requested', {
    required: false,
  })
  certificate?: string;
}

export const VALIDATION_MESSAGES: Record<ValidationStatus, string> = {
  active: 'License is valid',
  pending: 'License has not been activated',
  expired: 'License has expired',
  revoked: 'License has been revoked',
  machine_mismatch: 'License is activated on another machine',
  invalid: 'License not found',
};

export function toValidationResponse(result: ValidationResult): ValidationResponse {
  const { status } = result;
  const message = VALIDATION_MESSAGES[status];
  switch (status) {
    case 'active': {
      const { license, certificate } = result;
      const response = ACTIVE_RESPONSES.get(license) ?? activeResponse(license);
      return certificate === undefined ? response : { ...response, certificate };
    }
    case 'expired':
      return { valid: false, status, message, expiresAt: result.license.expiresAt.toISOString() };
    case 'pending':
    case 'revoked':
    case 'machine_mismatch':
    case 'invalid':
      return { valid: false, status, message };
  }
}

/** The responses of active licenses by their records, which are shared while they are current: software asks again and again. */
const ACTIVE_RESPONSES = new WeakMap<License, ValidationResponse>();

function activeResponse(license: License): ValidationResponse {
  const { duration, services, activatedAt, expiresAt } = license;
  const response = keepText<ValidationResponse>({
    valid: true,
    status: 'active',
    message: VALIDATION_MESSAGES.active,
    duration,
    services: [...services],
    activatedAt: activatedAt!.toISOString(),
    expiresAt: expiresAt.toISOString(),
  });
  ACTIVE_RESPONSES.set(license, response);
  return response;
}
