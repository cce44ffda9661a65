import { DomainError } from '../shared/errors/domain-error.js';

/** Why a command failed: one sentence for the operator. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** A command line that cannot be parsed. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
}

export const notFound = (email: string) => new CommandError(`There is no account ${email}.`);

/** The operator's message for a failed command: one sentence, and the usage after a {@link UsageError}. */
export function describeFailure(error: unknown, usage: string): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  if (error instanceof DomainError) return `${error.message}.`;
  return error instanceof Error ? error.message : String(error);
}
