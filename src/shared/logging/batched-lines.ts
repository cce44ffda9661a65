import fs from 'node:fs';
import type { DestinationStream } from 'pino';
import type { Metrics } from '../../metrics/metrics.js';

const STDOUT = 1;
/** Maximum number of pending characters; further lines are dropped. */
const MAX_WAITING = 4 * 1024 * 1024;
/** How long to wait before retrying a failed write, in milliseconds. */
const RETRY_AFTER = 100;

/**
 * Standard output, written once per iteration of the event loop: many requests complete in one iteration, and separate writes
 * would cost as much as their responses.
 *
 * The log never stops or blocks the service or grows without bound: while a pipe or disk is full, up to 4 MB of lines wait, and
 * further lines are dropped. Their number is logged at level 40 after the pending lines.
 */
export function batchedLines(metrics?: Metrics): DestinationStream {
  const droppedLines = metrics?.counter('log_lines_dropped_total', 'Dropped log lines').labels();
  let waiting = '';
  let dropped = 0;
  let isBusy = false;
  /** The unwritten rest of the current batch. */
  let left = Buffer.alloc(0);

  const takeWaiting = () => {
    const batch = Buffer.from(waiting + reportOf(dropped));
    waiting = '';
    dropped = 0;
    return batch;
  };
  const write = () => {
    const batch = left.length > 0 ? left : takeWaiting();
    left = Buffer.alloc(0);
    isBusy = batch.length > 0;
    if (!isBusy) return;
    fs.write(STDOUT, batch, (error, written) => {
      left = batch.subarray(written);
      if (error) setTimeout(write, RETRY_AFTER).unref();
      else write();
    });
  };

  process.once('exit', () => {
    try {
      fs.writeSync(STDOUT, Buffer.concat([left, takeWaiting()]));
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
      setImmediate(write);
    },
  };
}

function reportOf(lines: number): string {
  if (lines === 0) return '';
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 40, time, lines, msg: 'log lines were lost' })}\n`;
}
