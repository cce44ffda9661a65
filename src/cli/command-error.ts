import { DomainError } from '../shared/errors/domain-error.js';

/** Why a command was not done: one sentence for whoever gave it. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** A command line that cannot be understood. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
}

/** What the operator reads of a command that failed: one sentence, and the usage where that was the cause. */
export function describeFailure(error: unknown, usage: string): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  if (error instanceof DomainError) return `${error.message}.`;
  return error instanceof Error ? error.message : String(error);
}
