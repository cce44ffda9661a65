import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class ErrorBody {
  @ApiProperty({ description: 'What went wrong, for humans', example: 'Client not found' })
  message!: string;

  @ApiProperty({
    description: 'What went wrong, for programs. Codes never change; new ones may be added.',
    pattern: '^[A-Z]+(_[A-Z]+)*$',
    example: 'CLIENT_NOT_FOUND',
  })
  code!: string;

  @ApiPropertyOptional({
    description: 'More about the cause, or what to do about it',
    example: 'email must be an email address.',
  })
  details?: string;

  @ApiPropertyOptional({
    description: 'For `VALIDATION_ERROR`: what is wrong with each field',
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' } },
    example: { email: ['email must be an email address'] },
  })
  errors?: Record<string, string[]>;

  @ApiPropertyOptional({
    description: 'The field with the conflicting value or the wrong password',
    example: 'email',
  })
  field?: string;

  @ApiPropertyOptional({
    description: 'The scope the API key is missing',
    example: 'licenses:read',
  })
  scope?: string;

  @ApiPropertyOptional({ description: 'The lowest role allowed to do this', example: 'admin' })
  role?: string;

  @ApiPropertyOptional({
    description: 'Id of the license that already has this external id',
    example: '665f1c2ab7e4a90012345678',
  })
  licenseId?: string;

  @ApiPropertyOptional({
    description: 'Id of the deleted client or project that the record belongs to',
    example: '665f1c2ab7e4a90012345678',
  })
  parent?: string;

  @ApiPropertyOptional({
    description: 'Seats of the license in use (`used`) and in total (`max`)',
    type: 'object',
    properties: { used: { type: 'integer' }, max: { type: 'integer' } },
    required: ['used', 'max'],
    example: { used: 5, max: 5 },
  })
  machines?: { used: number; max: number };

  @ApiPropertyOptional({
    description: 'For `MACHINE_LIMIT_REACHED` of a floating license: when the first lease expires',
    format: 'date-time',
    example: '2026-01-31T10:25:00.000Z',
  })
  nextLeaseEndsAt?: string;

  @ApiPropertyOptional({
    description:
      'For `RELEASE_LIMIT_REACHED` in the portal: when another machine can be released; null for never',
    type: String,
    format: 'date-time',
    nullable: true,
    example: '2026-02-28T10:15:00.000Z',
  })
  availableAt?: string | null;

  @ApiPropertyOptional({
    description: 'For `CERTIFICATE_OUTSTANDING` in the portal: when the certificate expires',
    format: 'date-time',
    example: '2026-02-28T10:15:00.000Z',
  })
  certificateExpiresAt?: string;

  @ApiPropertyOptional({
    description: 'For `FACTOR_REQUIRED`: send it with the second factor',
    example: 'kZ0vKX3Yb0m4o6T2Qw8nHc5sJr1uLd9eAfGgBhViPxE',
  })
  challenge?: string;

  @ApiPropertyOptional({
    description:
      'For `FACTOR_REQUIRED` and `STEP_UP_REQUIRED`: the second factors, any one of which is accepted',
    type: [String],
    example: ['totp', 'recovery_code'],
  })
  factors?: string[];

  @ApiPropertyOptional({
    description:
      'For `FACTOR_REQUIRED`: the options for `navigator.credentials.get` as JSON; null if the login has no passkey',
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: null,
  })
  passkeyOptions?: object | null;

  @ApiPropertyOptional({
    description: 'For a 500: what to tell the operator',
    example: 'Tell the operator the request id 0b0e2d34-9d6c-4b71-a0f5-6f0d9e5b1c55.',
  })
  error?: string;

  @ApiProperty({
    description:
      "Identifies this request in the service's log. Also sent in the `X-Request-Id` header.",
    format: 'uuid',
    example: '0b0e2d34-9d6c-4b71-a0f5-6f0d9e5b1c55',
  })
  requestId!: string;
}
