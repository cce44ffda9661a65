import { ExtendRouteConfig } from '../extend-route-config.js';
import type { ErrorCode } from '../../shared/errors/error-codes.js';

/** How the errors of one route differ from the general form. */
export interface ErrorShape {
  /** Fields that every error of the route carries, such as `success: false`. */
  readonly always?: Readonly<Record<string, unknown>>;
  /** The code of any failure of the service, an unreachable store included, where it is prescribed. */
  readonly unexpected?: ErrorCode;
  /** The whole body of a 429, where it is prescribed. */
  readonly tooManyRequests?: Readonly<Record<string, unknown>>;
}

/**
 * Declares the error shape of a route. It is kept in Fastify's route configuration, so that it
 * holds for errors from before the handler too (413, 415, 429).
 */
export const WithErrorShape = (errorShape: ErrorShape) => ExtendRouteConfig({ errorShape });
