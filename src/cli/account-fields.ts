import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { IsEmailAddress, IsText } from '../shared/fields/text.decorators.js';
import { CommandError } from './command-error.js';

/** The e-mail address and name of an account, under the rules of the API. */
export class AccountFields {
  @IsEmailAddress()
  email!: string;

  @IsText(1, 200)
  name!: string;
}

/**
 * The normal form of an e-mail address and a name. The name defaults to the local part of the address.
 *
 * @throws CommandError
 */
export function readAccountFields(email: string, name?: string): AccountFields {
  const given = { email, name: name ?? email.trim().split('@')[0] };
  const fields = plainToInstance(AccountFields, given);
  const wrong = validateSync(fields).map(({ property }) => property);
  if (wrong.includes('email')) throw new CommandError(`${email} is not a valid e-mail address.`);
  if (wrong.includes('name')) {
    throw new CommandError('A name has 1 to 200 characters, and no control characters.');
  }
  return fields;
}
