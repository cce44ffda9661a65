import { validationError } from '../../shared/errors/validation-error.js';
import { commonPasswords, GUESSABLE, isPasswordGuessable } from './password-policy.js';

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
