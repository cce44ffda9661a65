import { loadDotEnv } from '../shared/config/dotenv.js';
import { describeFailure } from './command-error.js';
import { ProgressLine } from './progress-line.js';

/**
 * Runs a command line of the operator with the variables of the environment.
 *
 * @returns the lines for stdout
 * @throws UsageError, CommandError, DomainError; StartupError where the store cannot be used
 */
export type Command = (
  args: string[],
  env: NodeJS.ProcessEnv,
  progress: ProgressLine,
) => Promise<string> | AsyncIterable<string>;

/**
 * Runs a command with the arguments of the process and the variables of `.env`. If it fails, the reason is printed and the process
 * exits with 1.
 *
 * @param usage what --help prints
 * @param interrupted what is printed if SIGINT, SIGTERM or SIGHUP ends the command; absent: they end it as usual
 */
export async function runCommand(usage: string, command: Command, interrupted?: string) {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) return console.log(usage);
  const progress = new ProgressLine(process.stderr);
  if (interrupted) exitOnSignals(() => progress.print(`Interrupted: ${interrupted}`));
  try {
    loadDotEnv();
    const lines = await command(args, process.env, progress);
    for await (const line of typeof lines === 'string' ? [lines] : lines) console.log(line);
  } catch (error) {
    progress.print(describeFailure(error, usage));
    process.exitCode = 1;
  }
}

function exitOnSignals(say: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      say();
      process.exit(1);
    });
  }
}
