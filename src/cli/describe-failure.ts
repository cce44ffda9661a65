import { DomainError } from '../shared/errors/domain-error.js';
import { UsageError } from './usage-error.js';

/** What the operator reads of a command that failed: one sentence, and the usage where that was the cause. */
export function describeFailure(error: unknown, usage: string): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  if (error instanceof DomainError) return `${error.message}.`;
  return error instanceof Error ? error.message : String(error);
}
