import { ValidateBy } from 'class-validator';
import type { ErrorCode } from '../errors/error-codes.js';
import type { RejectionContext } from '../errors/validation-error.js';

/** Rejects a missing value with its own error code. */
export const Required = (rejection: ErrorCode): PropertyDecorator =>
  ValidateBy(
    { name: 'required', validator: { validate: (value) => !isMissing(value) } },
    { message: '$property is required', context: { rejection } satisfies RejectionContext },
  );

/** Whether a value is absent, null, an empty array, or a string that is empty after trimming. */
export function isMissing(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
