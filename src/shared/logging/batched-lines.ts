import fs from 'node:fs';
import type { DestinationStream } from 'pino';

const STDOUT = 1;
/** Most characters that wait to be written. */
const MOST_WAITING = 4 * 1024 * 1024;
/** How long it lets a pipe that is full alone, in milliseconds. */
const RETRY_AFTER = 100;
const NEWLINE = 10;

/**
 * Standard output, to which the lines of one turn of the event loop are written at once: many requests
 * are answered in a turn, and a write each would cost as much as their responses.
 *
 * The service never ends, waits or grows for its log: lines that a full disk does not take are lost, and so
 * are those that come while 4 MB wait for a reader. How many were lost is a line of its own, at level 40, once
 * lines are taken again. pino's own destination tries forever at the exit.
 */
export function batchedLines(): DestinationStream {
  let waiting = '';
  let batch: Buffer | undefined;
  let isFlushing = false;
  /** Lines that were lost since the last report that was written. */
  let lost = 0;
  /** Of the batch: its beginning that reports lost lines, in bytes, and how many it reports. */
  let report = { bytes: 0, lines: 0 };
  /** Whether the last line that was written is not whole. */
  let isLineOpen = false;

  const beginning = () => (isLineOpen ? '\n' : '') + reportOf(lost);
  const flush = () => {
    isFlushing = false;
    if (batch || waiting === '') return;
    const first = beginning();
    report = { bytes: first.length, lines: lost };
    lost = 0;
    batch = Buffer.from(first + waiting);
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
        settle(error ? rest : rest.subarray(rest.length));
        batch = undefined;
        flush();
      }
    });
  /** Counts what was not written of the batch. */
  const settle = (unwritten: Buffer) => {
    const written = batch!.length - unwritten.length;
    if (written > 0) isLineOpen = batch![written - 1] !== NEWLINE;
    const isReported = written >= report.bytes;
    const lines = isReported ? unwritten : batch!.subarray(report.bytes);
    lost += linesIn(lines) + (isReported ? 0 : report.lines);
  };

  process.once('exit', () => {
    try {
      fs.writeSync(STDOUT, beginning() + waiting);
    } catch {
      // There is nobody left to tell.
    }
  });
  return {
    write: (line) => {
      if (waiting.length + line.length > MOST_WAITING) {
        lost += 1;
        return;
      }
      waiting += line;
      if (isFlushing) return;
      isFlushing = true;
      setImmediate(flush);
    },
  };
}

function reportOf(lines: number): string {
  if (lines === 0) return '';
  const line = {
    level: 40,
    time: new Date().toISOString(),
    lines,
    msg: 'lines of this log were lost',
  };
  return `${JSON.stringify(line)}\n`;
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
}
