import fs from 'node:fs';
import type { DestinationStream } from 'pino';
import type { Metrics } from '../../metrics/metrics.js';

const STDOUT = 1;
/** Most characters that wait to be written; further lines are dropped. */
const MAX_WAITING = 4 * 1024 * 1024;
/** Milliseconds until a failed write is tried again. */
const RETRY_AFTER = 100;

/**
 * Standard output, written to once per iteration of the event loop: many requests complete in one, and a
 * write each would cost as much as their responses.
 *
 * The log never stops the service, blocks it or grows: while a pipe or a disk is full, up to 4 MB of lines wait,
 * and further ones are dropped. Their number is logged, at level 40, after the lines that waited.
 */
export function batchedLines(metrics?: Metrics): DestinationStream {
  const droppedLines = metrics
    ?.counter('log_lines_dropped_total', 'Lines of the log that were dropped')
    .labels();
  let waiting = '';
  let dropped = 0;
  /** Whether a write is scheduled, in progress or to be tried again. */
  let isBusy = false;
  /** The batch whose write has failed. */
  let failed: Buffer = Buffer.alloc(0);

  const takeBatch = () => {
    const batch = Buffer.from(waiting + reportOf(dropped));
    waiting = '';
    dropped = 0;
    return batch;
  };
  const flush = () => {
    if (waiting === '') isBusy = false;
    else write(takeBatch());
  };
  const write = (batch: Buffer) =>
    fs.write(STDOUT, batch, (error, written) => {
      if (error) {
        failed = batch;
        setTimeout(retry, RETRY_AFTER).unref();
      } else if (written < batch.length) {
        write(batch.subarray(written));
      } else {
        flush();
      }
    });
  const retry = () => {
    const batch = failed;
    failed = Buffer.alloc(0);
    write(batch);
  };

  process.once('exit', () => {
    try {
      fs.writeSync(STDOUT, Buffer.concat([failed, takeBatch()]));
    } catch {
      // Nothing can be reported any more.
    }
  });
  return {
    write: (line) => {
      if (waiting.length + line.length > MAX_WAITING) {
        dropped += 1;
        droppedLines?.inc();
        return;
      }
      waiting += line;
      if (isBusy) return;
      isBusy = true;
      setImmediate(flush);
    },
  };
}

function reportOf(lines: number): string {
  if (lines === 0) return '';
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 40, time, lines, msg: 'lines of this log were lost' })}\n`;
}
