import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { ApiOperation, ApiResponse, type ApiResponseExamples } from '@nestjs/swagger';
import type { ErrorCode } from '../../shared/errors/error-codes.js';

export const API_ERRORS = 'api-errors';
export const API_ERROR_BODY = 'api-error-body';

/** Documents a route. Its `operationId` is the name of the method. */
export const Describe = (summary: string, description: string) =>
  ApiOperation({ summary, description });

/** Declares and documents the response of a route that succeeds; without a type, it has no body. */
export function Responds(
  status: 200 | 201 | 204,
  description: string,
  type?: Type<unknown>,
  examples?: Record<string, ApiResponseExamples>,
) {
  const body = { ...(type && { type }), ...(examples && { examples }) };
  return applyDecorators(HttpCode(status), ApiResponse({ status, description, ...body }));
}

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

/** Documents that the errors of a route have another body than `ErrorBody`. */
export const ApiErrorBody = (schema: ErrorBodySchema) => SetMetadata(API_ERROR_BODY, schema);
