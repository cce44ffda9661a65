import { SetMetadata, type Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ErrorCode } from '../../shared/errors/error-codes.js';

export const API_ERRORS = 'api-errors';
export const API_ERROR_BODY = 'api-error-body';

/**
 * Documents the errors specific to a route, in addition to those of other `ApiErrors` on it. Errors that
 * follow from how the route is declared (authentication, a body, parameters, a rate limit, failures) are
 * documented without it.
 */
export const ApiErrors =
  (...codes: ErrorCode[]): ClassDecorator & MethodDecorator =>
  (target: object, _name?: unknown, method?: PropertyDescriptor) => {
    const documented = (method?.value ?? target) as object;
    const others = (Reflect.getOwnMetadata(API_ERRORS, documented) ?? []) as ErrorCode[];
    Reflect.defineMetadata(API_ERRORS, [...codes, ...others], documented);
  };

/** The schema of a route's errors: its name, and the classes of the bodies it may be. */
export interface ErrorBodySchema {
  readonly name: string;
  readonly oneOf: readonly Type<unknown>[];
}

/** Documents that the errors of a route have another body than {@link ErrorBody}. */
export const ApiErrorBody = (schema: ErrorBodySchema) => SetMetadata(API_ERROR_BODY, schema);

/** The body of every error. */
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

  @ApiPropertyOptional({ description: 'The field that is in conflict, of a 409', example: 'email' })
  field?: string;

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
