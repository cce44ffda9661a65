import fs from 'node:fs';
import { batchedLines } from './logger.js';

type Done = (error: Error | null, written: number) => void;

describe('batchedLines', () => {
  const writes: { readonly batch: Buffer; readonly done: Done }[] = [];
  const exits: (() => void)[] = [];
  /** The write in progress. */
  const latest = () => writes.at(-1)!;
  const complete = () => latest().done(null, latest().batch.length);

  beforeEach(() => {
    writes.length = 0;
    jest.useFakeTimers();
    jest
      .spyOn(fs, 'write')
      .mockImplementation(((_fd: number, batch: Buffer, done: Done) =>
        writes.push({ batch, done })) as unknown as typeof fs.write);
    jest.spyOn(process, 'once').mockImplementation((_event, listener) => {
      exits.push(listener as () => void);
      return process;
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('writes the lines of an event loop iteration together, then the lines logged in the meantime', () => {
    const lines = batchedLines();
    lines.write('first\n');
    lines.write('second\n');
    jest.runAllTimers();
    lines.write('third\n');
    expect(writes.map(({ batch }) => String(batch))).toEqual(['first\nsecond\n']);
    latest().done(null, 'first\nsec'.length);
    complete();
    expect(writes.slice(1).map(({ batch }) => String(batch))).toEqual(['ond\n', 'third\n']);
  });

  it('drops, counts and reports lines over 4 MB while writes are slow or fail', () => {
    const inc = jest.fn();
    const metrics = { counter: () => ({ labels: () => ({ inc }) }) };
    const lines = batchedLines(metrics as unknown as Parameters<typeof batchedLines>[0]);
    for (let i = 0; i < 20_000; i++) {
      lines.write('x'.repeat(1023) + '\n');
      jest.advanceTimersByTime(100);
      // The disk is full.
      if (i > 10_000) latest().done(new Error('ENOSPC'), 0);
    }
    const written = () => String(latest().batch).split('\n').slice(0, -1);
    expect(written()).toHaveLength(1);
    jest.advanceTimersByTime(100);
    complete();
    const report = written().pop()!;
    expect(JSON.parse(report)).toMatchObject({
      ...{ level: 40, msg: 'log lines were lost' },
      lines: 20_000 - 4096 - 1,
    });
    expect(inc).toHaveBeenCalledTimes(20_000 - 4096 - 1);
  });

  it('writes the rest of a failed write and all pending lines when the process exits', () => {
    const writeSync = jest.spyOn(fs, 'writeSync').mockReturnValue(0);
    const lines = batchedLines();
    lines.write('first\n');
    jest.runAllTimers();
    latest().done(new Error('EAGAIN'), 'fi'.length);
    lines.write('second\n');
    exits.at(-1)!();
    expect(String(writeSync.mock.calls[0]![1])).toBe('rst\nsecond\n');
  });
});
