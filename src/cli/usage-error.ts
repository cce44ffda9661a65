import { CommandError } from './command-error.js';

/** A command line that cannot be understood. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
}
