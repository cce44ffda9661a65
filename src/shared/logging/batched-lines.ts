import fs from 'node:fs';
import type { DestinationStream } from 'pino';

const STDOUT = 1;
/** Most characters that wait to be written. */
const MOST_WAITING = 4 * 1024 * 1024;
/** How long it lets a pipe that is full alone, in milliseconds. */
const RETRY_AFTER = 100;

/**
 * Standard output, to which the lines of one turn of the event loop are written at once: many requests
 * are answered in a turn, and a write each would cost as much as their answers.
 *
 * The service never ends, waits or grows for its log: lines that a full disk does not take are lost, and so
 * are those that come while 4 MB wait for a reader. pino's own destination tries forever at the exit.
 */
export function batchedLines(): DestinationStream {
  let waiting = '';
  let batch: Buffer | undefined;
  let isFlushing = false;

  const flush = () => {
    isFlushing = false;
    if (batch || waiting === '') return;
    batch = Buffer.from(waiting);
    waiting = '';
    writeOn(batch);
  };
  const writeOn = (rest: Buffer) =>
    fs.write(STDOUT, rest, (error, written) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(writeOn, RETRY_AFTER, rest).unref();
      } else if (!error && written < rest.length) {
        writeOn(rest.subarray(written));
      } else {
        batch = undefined;
        flush();
      }
    });

  process.once('exit', () => {
    try {
      fs.writeSync(STDOUT, waiting);
    } catch {
      // There is nobody left to tell.
    }
  });
  return {
    write: (line) => {
      if (waiting.length + line.length > MOST_WAITING) return;
      waiting += line;
      if (isFlushing) return;
      isFlushing = true;
      setImmediate(flush);
    },
  };
}
