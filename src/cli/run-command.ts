import { loadDotEnv } from '../shared/config/dotenv.js';
import { describeFailure } from './command-error.js';
import { ProgressLine } from './progress-line.js';

/**
 * Runs a command with the variables of `.env`. If it fails, the reason is printed and the process exits with 1.
 *
 * @param interrupted what is printed if SIGINT, SIGTERM or SIGHUP ends the command; absent: they end it as usual
 */
export async function runCommand(
  usage: string,
  work: (progress: ProgressLine) => Promise<void>,
  interrupted?: string,
): Promise<void> {
  const progress = new ProgressLine(process.stderr);
  if (interrupted) exitOnSignals(() => progress.print(`Interrupted: ${interrupted}`));
  try {
    loadDotEnv();
    await work(progress);
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
