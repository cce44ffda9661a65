import { DomainError } from '../shared/errors/domain-error.js';
import { explainDamage, explainLoadFailure } from '../shared/errors/startup-error.js';

/** Why a command failed, in one line for the operator. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

export const notFound = (email: string) => new CommandError(`There is no account ${email}.`);

/** The operator's message for a failed command, in one line. */
export function describeFailure(error: unknown): string {
  if (error instanceof DomainError) return `${error.message}.`;
  const explained = explainLoadFailure(error) ?? explainDamage(error);
  return explained ?? (error instanceof Error ? error.message : String(error));
}
