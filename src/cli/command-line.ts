import { Command } from 'commander';
import { loadDotEnv } from '../shared/config/dotenv.js';
import { describeFailure } from './command-error.js';
import { ProgressLine } from './progress-line.js';

export const progress = new ProgressLine(process.stderr);

/** The command line of `npm run NAME`. Its commands get the variables of `.env`. */
export const commandLine = (name: string, description: string): Command =>
  new Command(`npm run ${name} --`)
    .description(description)
    .helpCommand(false)
    .showHelpAfterError()
    .hook('preAction', loadDotEnv);

/** Prints the lines of a command to stdout. */
export async function print(output: Promise<string> | AsyncIterable<string>): Promise<void> {
  const lines = await output;
  let isRead = true;
  // The reader of a pipe, such as head, may have exited.
  process.stdout.on('error', () => (isRead = false));
  for await (const line of typeof lines === 'string' ? [lines] : lines) {
    if (!isRead) break;
    console.log(line);
  }
  if (!isRead) process.exitCode = 1;
}

/**
 * Runs a command line with the arguments of the process. If it fails, the reason is printed and the process exits with 1.
 *
 * @param interrupted what is printed if SIGINT, SIGTERM or SIGHUP ends the command; absent: they end it as usual
 */
export async function runCommandLine(program: Command, interrupted?: string): Promise<void> {
  for (const signal of interrupted ? (['SIGINT', 'SIGTERM', 'SIGHUP'] as const) : []) {
    process.once(signal, () => {
      progress.print(`Interrupted: ${interrupted}`);
      process.exit(1);
    });
  }
  try {
    await program.parseAsync();
  } catch (error) {
    progress.print(describeFailure(error));
    process.exitCode = 1;
  }
}
