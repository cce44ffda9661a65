import { applyDecorators } from '@nestjs/common';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import { validationError } from '../../shared/errors/validation-error.js';
import {
  commonPasswords,
  GUESSABLE,
  hasPasswordLength,
  isPasswordGuessable,
  PASSWORD_MAX,
  PASSWORD_MIN,
} from './password-policy.js';

/** Validates a new password against the policy, and against the `email` of the same body where it has one. */
export const IsNewPassword = () =>
  applyDecorators(
    ValidateBy(
      { name: 'hasPasswordLength', validator: { validate: hasLength } },
      { message: `$property must have ${PASSWORD_MIN} to ${PASSWORD_MAX} characters` },
    ),
    ValidateBy(
      { name: 'isPasswordHardToGuess', async: true, validator: { validate: isHardToGuess } },
      { message: `$property ${GUESSABLE}` },
    ),
  );

const hasLength = (value: unknown) => typeof value === 'string' && hasPasswordLength(value);

async function isHardToGuess(value: unknown, args?: ValidationArguments): Promise<boolean> {
  // A wrong length is reported alone, without loading the list of common passwords.
  if (typeof value !== 'string' || !hasPasswordLength(value)) return true;
  const { email } = (args?.object ?? {}) as { email?: unknown };
  const ownEmail = typeof email === 'string' ? email : '';
  return !isPasswordGuessable(value, ownEmail, await commonPasswords());
}

/**
 * Rejects a password that follows from the e-mail address, where the body was validated without the address.
 *
 * @throws DomainError VALIDATION_ERROR
 */
export async function rejectGuessable(
  field: string,
  password: string,
  email: string,
): Promise<void> {
  if (isPasswordGuessable(password, email, await commonPasswords())) {
    throw validationError({ [field]: [`${field} ${GUESSABLE}`] });
  }
}
