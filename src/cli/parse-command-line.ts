import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from './command-error.js';

/**
 * As `parseArgs` of Node.
 *
 * @throws UsageError which names the option
 */
export function parseCommandLine<T extends ParseArgsConfig>(config: T) {
  try {
    return parseArgs(config);
  } catch (error) {
    // What follows the first sentence is advice about syntax.
    const [reason] = (error as Error).message.split(/\.\s/);
    throw new UsageError(`${reason}.`);
  }
}
