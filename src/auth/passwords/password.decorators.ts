import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Length, ValidateBy, type ValidationArguments } from 'class-validator';
import { InWorkClass } from '../../http/route-config.js';
import { LoginLimitInterceptor } from '../../limits/login-limit.interceptor.js';
import { ApiErrors } from '../../openapi/decorators/api-route.js';
import { validationError } from '../../shared/errors/validation-error.js';
import {
  commonPasswords,
  GUESSABLE,
  hasPasswordLength,
  isPasswordGuessable,
  PASSWORD_MAX,
  PASSWORD_MIN,
} from './password-policy.js';

/** A field for an account's password. */
export const IsCurrentPassword = () =>
  applyDecorators(
    ApiProperty({
      description: 'Used exactly as sent, including spaces',
      example: 'seven quiet lanterns drift',
      format: 'password',
      minLength: 1,
      maxLength: PASSWORD_MAX,
    }),
    Length(1, PASSWORD_MAX),
  );

/** A session-only route that verifies the account's password. */
export const VerifiesPassword = () =>
  applyDecorators(
    InWorkClass('passwords'),
    UseInterceptors(LoginLimitInterceptor),
    ApiErrors('WRONG_PASSWORD', 'TOO_MANY_REQUESTS'),
  );

/** Checks a new password against the policy, and against the `email` of the same body if present. */
export const IsNewPassword = () =>
  applyDecorators(
    ValidateBy(
      { name: 'hasPasswordLength', validator: { validate: hasLength } },
      { message: `$property must be ${PASSWORD_MIN} to ${PASSWORD_MAX} characters long` },
    ),
    ValidateBy(
      { name: 'isPasswordHardToGuess', async: true, validator: { validate: isUnguessable } },
      { message: `$property ${GUESSABLE}` },
    ),
  );

const hasLength = (value: unknown) => typeof value === 'string' && hasPasswordLength(value);

async function isUnguessable(value: unknown, args?: ValidationArguments): Promise<boolean> {
  // Wrong length: report only that, without loading the list of common passwords.
  if (typeof value !== 'string' || !hasPasswordLength(value)) return true;
  const { email } = (args?.object ?? {}) as { email?: unknown };
  const ownEmail = typeof email === 'string' ? email : '';
  return !isPasswordGuessable(value, ownEmail, await commonPasswords());
}

/**
 * @throws DomainError VALIDATION_ERROR if the password is derived from the email address, which was unknown
 *   when the body was validated
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
