import { type DestinationStream, pino } from 'pino';

/** Most bytes that wait to be written, however long a turn of the event loop lasts. */
const MOST = 8 * 1024;

/**
 * Standard output, to which the lines of one turn of the event loop are written at once: many requests
 * are answered in a turn, and a write each would cost as much as their answers.
 */
export function batchedLines(): DestinationStream {
  const stdout = pino.destination({ sync: false, minLength: MOST });
  let isFlushing = false;
  const flush = () => {
    isFlushing = false;
    stdout.flush();
  };
  return {
    write: (line) => {
      stdout.write(line);
      if (isFlushing) return;
      isFlushing = true;
      setImmediate(flush);
    },
  };
}
