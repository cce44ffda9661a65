import { setTimeout } from 'node:timers';

/** Longest that a generator may need in addition to the seconds of its job, in seconds: a generator that hangs ends itself. */
const MARGIN = 60;

/**
 * Makes this process a generator: it runs the one job that its parent sends, and sends back the result. It ends
 * with its parent, or when the job's time is over.
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
