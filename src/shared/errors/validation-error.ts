import { getMetadataStorage, type ValidationError } from 'class-validator';
import { closestName } from './closest-name.js';
import { DomainError } from './domain-error.js';
import type { ErrorCode } from './error-codes.js';

/** The `context` of a constraint with its own error code. */
export interface RejectionContext {
  readonly rejection: ErrorCode;
}

/**
 * Turns all errors of a DTO into one rejection: the first error code specific to a constraint, in the order of the
 * class's fields (that of the specification's error tables), else a `Validation error` with all reasons.
 */
export function toRejection(errors: ValidationError[]): DomainError {
  const own = errors.flatMap(contextsOf).find((context) => context.rejection);
  if (own?.rejection) return new DomainError(own.rejection);
  return validationError(
    Object.fromEntries(errors.map((error) => [error.property, reasonsOf(error)])),
  );
}

function reasonsOf({ property, target, constraints = {} }: ValidationError): string[] {
  if (!('whitelistValidation' in constraints)) return Object.values(constraints);
  const known = getMetadataStorage()
    .getTargetValidationMetadatas(target!.constructor, '', false, false)
    .map(({ propertyName }) => propertyName);
  return [unknownField(property, closestName(property, known))];
}

function contextsOf(error: ValidationError): Partial<RejectionContext>[] {
  return Object.values(error.contexts ?? {}) as Partial<RejectionContext>[];
}

/** A `Validation error` with its reasons by field, and all of them in one sentence. */
export function validationError(errors: Record<string, string[]>): DomainError {
  return new DomainError('VALIDATION_ERROR', {
    errors,
    details: `${Object.values(errors).flat().join('; ')}.`,
  });
}

export const notAnObject = (): DomainError =>
  validationError({ body: ['body must be a JSON object'] });

const unknownField = (name: string, closest?: string) =>
  `${name} is not a field here${closest ? ` (did you mean ${closest}?)` : ''}`;

export function unknownFields(names: readonly string[]): DomainError {
  return validationError(Object.fromEntries(names.map((name) => [name, [unknownField(name)]])));
}
