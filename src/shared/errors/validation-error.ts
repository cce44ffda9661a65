import { getMetadataStorage, type ValidationError } from 'class-validator';
import { closestName } from './closest-name.js';
import { DomainError } from './domain-error.js';
import type { ErrorCode } from './error-codes.js';

/** The `context` of a constraint with its own error code. */
export interface RejectionContext {
  readonly rejection: ErrorCode;
  /** What to do next, by the fields that the request can have; replaces the text of the error table. */
  readonly details?: (fields: readonly string[]) => string | undefined;
}

/**
 * Turns all errors of a DTO into one rejection: the first error code specific to a constraint, in the order
 * of the class's fields (and of the specification's error tables); otherwise a `Validation error` with all
 * reasons. If a missing field was sent under a similar name, the details say so.
 */
export function toRejection(errors: ValidationError[]): DomainError {
  const unknown = errors.filter(isUnknown).flatMap(reasonsOf);
  for (const error of errors) {
    const own = contextsOf(error).find((context) => context.rejection);
    if (!own?.rejection) continue;
    const details = unknown.length > 0 ? inOneSentence(unknown) : own.details?.(fieldsFor(error));
    return new DomainError(own.rejection, details === undefined ? {} : { details });
  }
  return validationError(
    Object.fromEntries(errors.map((error) => [error.property, reasonsOf(error)])),
  );
}

const isUnknown = ({ constraints = {} }: ValidationError) => 'whitelistValidation' in constraints;

function reasonsOf(error: ValidationError): string[] {
  const { property, constraints = {} } = error;
  if (!isUnknown(error)) return Object.values(constraints);
  return [unknownField(property, closestName(property, fieldsFor(error)))];
}

/** The fields of the class whose object has an error. */
const fieldsFor = ({ target }: ValidationError): string[] =>
  getMetadataStorage()
    .getTargetValidationMetadatas(target!.constructor, '', false, false)
    .map(({ propertyName }) => propertyName);

function contextsOf(error: ValidationError): Partial<RejectionContext>[] {
  return Object.values(error.contexts ?? {}) as Partial<RejectionContext>[];
}

/** A `Validation error` with its reasons by field, and all of them in one sentence. */
export function validationError(errors: Record<string, string[]>): DomainError {
  return new DomainError('VALIDATION_ERROR', {
    errors,
    details: inOneSentence(Object.values(errors).flat()),
  });
}

const inOneSentence = (reasons: readonly string[]) => `${reasons.join('; ')}.`;

export const notAnObject = (): DomainError =>
  validationError({ body: ['body must be a JSON object'] });

const unknownField = (name: string, closest?: string) =>
  `${name} is not a field here${closest ? ` (did you mean ${closest}?)` : ''}`;

export function unknownFields(names: readonly string[]): DomainError {
  return validationError(Object.fromEntries(names.map((name) => [name, [unknownField(name)]])));
}
