import { applyDecorators } from '@nestjs/common';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import {
  commonPasswords,
  GUESSABLE,
  hasPasswordLength,
  isPasswordGuessable,
  PASSWORD_MAX,
  PASSWORD_MIN,
} from './password-policy.js';

/** A password that an account may have; its e-mail address is the DTO's `email`, where it has one. */
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
  // One reason at a time is enough, and the list of common passwords is not read in vain.
  if (typeof value !== 'string' || !hasPasswordLength(value)) return true;
  const { email } = (args?.object ?? {}) as { email?: unknown };
  return !isPasswordGuessable(
    value,
    typeof email === 'string' ? email : '',
    await commonPasswords(),
  );
}
