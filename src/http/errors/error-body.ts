import { ERRORS, type ErrorCode } from '../../shared/errors/error-codes.js';
import { ExtendRouteConfig } from '../extend-route-config.js';

/** How the error bodies of one route differ from the general one. */
export interface ErrorShape {
  /** Fields that every error of the route carries, such as `success: false`. */
  readonly always?: Readonly<Record<string, unknown>>;
  /** The prescribed code of every failure of the service, an unavailable store included. */
  readonly unexpected?: ErrorCode;
  /** The prescribed body of a 429. */
  readonly tooManyRequests?: Readonly<Record<string, unknown>>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    errorShape?: ErrorShape;
  }
}

/**
 * Declares the error shape of a route, in Fastify's route configuration, so that it also applies to errors
 * raised before the handler runs (413, 415, 429).
 */
export const WithErrorShape = (errorShape: ErrorShape) => ExtendRouteConfig({ errorShape });

/** The body of every error: its text and code, its own fields and the request's id, in the shape of the route. */
export function toErrorBody(
  code: ErrorCode,
  requestId: string,
  { always, tooManyRequests }: ErrorShape = {},
  fields: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const { status, message, details } = ERRORS[code];
  if (status === 429 && tooManyRequests) return tooManyRequests;
  return {
    ...always,
    message,
    code,
    ...(details && { details }),
    ...(status === 500 && { error: `Tell the operator the request id ${requestId}.` }),
    ...fields,
    requestId,
  };
}
