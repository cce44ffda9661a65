import { Cancelled, type Wait, waitAfter } from './api-error.js';
import { repeat } from './query-client.js';
import { Submission } from './submission.js';

/**
 * Sends one of several writes, and retries it as {@link repeat} says.
 *
 * @param closing aborts the waits
 * @throws Cancelled, or the error of the write
 */
export async function sendRepeatedly<Output>(
  write: (idempotencyKey: string) => Promise<Output>,
  closing: AbortSignal,
  onWait: (wait: Wait | null) => void,
): Promise<Output> {
  const submission = new Submission(write);
  try {
    for (let failures = 0; !closing.aborted; failures += 1) {
      try {
        return await submission.send();
      } catch (reason) {
        const error = reason as Error;
        if (!repeat.retry(failures, error)) throw error;
        onWait(waitAfter(error));
        await new Promise((resolve) => {
          closing.onabort = resolve;
          setTimeout(resolve, closing.aborted ? 0 : repeat.retryDelay(failures, error));
        });
        onWait(null);
      }
    }
    throw new Cancelled();
  } finally {
    submission.end();
  }
}
