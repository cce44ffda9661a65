import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { IsEmailAddress, IsName } from '../shared/fields/request.decorators.js';
import { CommandError } from './command-error.js';

/** An email address and a name, validated as in the API. */
class AccountFields {
  @IsEmailAddress()
  email!: string;

  @IsName(200)
  name!: string;
}

/**
 * The normalized email address and name. The name defaults to the local part of the address.
 *
 * @throws CommandError
 */
export function readAccountFields(email: string, name?: string): AccountFields {
  const fields = plainToInstance(AccountFields, {
    email,
    name: name ?? email.trim().split('@')[0],
  });
  const wrong = validateSync(fields).map(({ property }) => property);
  if (wrong.includes('email')) throw new CommandError(`${email} is not a valid email address.`);
  if (wrong.includes('name')) {
    throw new CommandError(
      'A name must be 1 to 200 characters long, with at least one visible character and no control characters.',
    );
  }
  return fields;
}
