import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOperation,
  ApiResponse,
  type ApiResponseExamples,
  ApiSchema,
  getSchemaPath,
} from '@nestjs/swagger';
import { ERRORS, type ErrorCode } from '../../shared/errors/error-codes.js';
import { ErrorBody } from '../../shared/errors/error-body.response.js';

/** Documents a route. Its `operationId` is the name of the method. */
export const Describe = (summary: string, description: string) =>
  ApiOperation({ summary, description });

/** Declares and documents the successful response of a route; without a type, it has no body. */
export function Responds(
  status: 200 | 201 | 202 | 204,
  description: string,
  type?: Type<unknown>,
  examples?: Record<string, ApiResponseExamples>,
) {
  const body = { ...(type && { type }), ...(examples && { examples }) };
  return applyDecorators(HttpCode(status), ApiResponse({ status, description, ...body }));
}

/**
 * The only list of errors specific to a route, together with other `ApiErrors` on it; tests compare it with
 * what the services throw. Errors that follow from how the route is declared (authentication, a body,
 * parameters, a rate limit, failures) are documented automatically.
 */
export const ApiErrors = (...codes: ErrorCode[]): MethodDecorator =>
  applyDecorators(
    ...codes.map((code) => {
      const examples = { [code]: { summary: ERRORS[code].message, value: undefined } };
      return ApiResponse({ status: ERRORS[code].status, type: ErrorBody, examples });
    }),
  );

/** Documents that the errors of a route have a body other than `ErrorBody`. */
export const ApiErrorBody = (type: Type<unknown>) => ApiResponse({ status: 'default', type });

/** Documents that a class stands for one of several others. */
export function ApiOneOf(...types: Type<unknown>[]) {
  const oneOf = types.map((type) => ({ $ref: getSchemaPath(type) }));
  // Replaces the schema generated from the class.
  const schema: object = { oneOf, type: undefined, properties: undefined };
  return applyDecorators(ApiExtraModels(...types), ApiSchema(schema));
}
