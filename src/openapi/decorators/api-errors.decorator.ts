import { SetMetadata, type Type } from '@nestjs/common';
import type { ErrorCode } from '../../shared/errors/error-codes.js';

export const API_ERRORS = 'api-errors';
export const API_ERROR_BODY = 'api-error-body';

/**
 * Documents the errors that are a route's own, beside those that another decorator has documented.
 * What follows from how the route is declared (credentials, a body, parameters, a limit, any failure)
 * is documented without it.
 */
export const ApiErrors =
  (...codes: ErrorCode[]): ClassDecorator & MethodDecorator =>
  (target: object, _name?: unknown, method?: PropertyDescriptor) => {
    const documented = (method?.value ?? target) as object;
    const others = (Reflect.getOwnMetadata(API_ERRORS, documented) ?? []) as ErrorCode[];
    Reflect.defineMetadata(API_ERRORS, [...codes, ...others], documented);
  };

/** The schema of a route's errors: a name, and the classes of the bodies that it stands for. */
export interface ErrorBodySchema {
  readonly name: string;
  readonly oneOf: readonly Type<unknown>[];
}

/** Documents that the errors of a route have another body than `ErrorBody`. */
export const ApiErrorBody = (schema: ErrorBodySchema) => SetMetadata(API_ERROR_BODY, schema);
