import { setTimeout } from 'node:timers';

/** Timeout of a generator beyond the duration of its job, in seconds: one that hangs exits. */
const MARGIN = 60;

/**
 * Makes this process a generator: it runs the one job that its parent sends, and sends back the result. It exits
 * with its parent, or after the timeout of the job.
 *
 * @param {(job: { seconds: number }) => Promise<object>} run
 */
export function runJob(run) {
  process.once('disconnect', () => process.exit());
  process.once('message', async (job) => {
    setTimeout(() => process.exit(1), (job.seconds + MARGIN) * 1000).unref();
    process.send(await run(job));
  });
  process.send('ready');
}
