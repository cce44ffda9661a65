import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class ErrorBody {
  @ApiProperty({ description: 'What went wrong, for people', example: 'Client not found' })
  message!: string;

  @ApiProperty({
    description: 'The same, for programs: it never changes, and new ones may come',
    pattern: '^[A-Z]+(_[A-Z]+)*$',
    example: 'CLIENT_NOT_FOUND',
  })
  code!: string;

  @ApiPropertyOptional({
    description: 'What is wrong in one sentence, or what to do about it',
    example: 'email must be an email.',
  })
  details?: string;

  @ApiPropertyOptional({
    description: 'The reasons by field, of a `VALIDATION_ERROR`',
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' } },
    example: { email: ['email must be an email'] },
  })
  errors?: Record<string, string[]>;

  @ApiPropertyOptional({
    description: 'The field in conflict, or with the wrong password',
    example: 'email',
  })
  field?: string;

  @ApiPropertyOptional({
    description: 'The scope that the API key lacks',
    example: 'licenses:read',
  })
  scope?: string;

  @ApiPropertyOptional({ description: 'The least role that may do it', example: 'admin' })
  role?: string;

  @ApiPropertyOptional({
    description: 'The id of the license that has the same external id',
    example: '665f1c2ab7e4a90012345678',
  })
  licenseId?: string;

  @ApiPropertyOptional({
    description: 'How many seats of the license are taken (`used`), and how many it has (`max`)',
    type: 'object',
    properties: { used: { type: 'integer' }, max: { type: 'integer' } },
    required: ['used', 'max'],
    example: { used: 5, max: 5 },
  })
  machines?: { used: number; max: number };

  @ApiPropertyOptional({
    description: 'When the first lease of a floating license ends, of a `MACHINE_LIMIT_REACHED`',
    format: 'date-time',
    example: '2026-01-31T10:25:00.000Z',
  })
  nextLeaseEndsAt?: string;

  @ApiPropertyOptional({
    description: 'What to tell the operator, of a 500',
    example: 'Tell the operator the request id 0b0e2d34-9d6c-4b71-a0f5-6f0d9e5b1c55.',
  })
  error?: string;

  @ApiProperty({
    description: 'Names this request in the log; also the header `X-Request-Id`',
    format: 'uuid',
    example: '0b0e2d34-9d6c-4b71-a0f5-6f0d9e5b1c55',
  })
  requestId!: string;
}
