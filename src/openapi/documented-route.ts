import type { ErrorCode } from '../shared/errors/error-codes.js';
import type { ErrorShape } from '../server/errors/error-shape.decorator.js';
import type { ErrorBodySchema } from './decorators/api-errors.decorator.js';

/** What the decorators of a route say that matters to its documentation. */
export interface DocumentedRoute {
  /** Whether it needs no access token. */
  readonly isPublic: boolean;
  /** Whether an address, or an account, may make only so many requests of it. */
  readonly isLimited: boolean;
  /** Whether it is rejected under overload. */
  readonly isShed: boolean;
  /** Codes of the errors that are its own. */
  readonly errors: readonly ErrorCode[];
  readonly errorShape: ErrorShape;
  readonly errorBody: ErrorBodySchema;
}
