import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { transformFileSync } from '@swc/core';

/** The module under test, compiled: its programs run in processes of their own. */
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'batched-lines-'));
const MODULE = path.join(folder, 'batched-lines.mjs');
const MODULE_URL = pathToFileURL(MODULE).href;

/** The arguments of Node that run a program with a destination `lines`. */
const writing = (program: string) => [
  '--input-type=module',
  '--eval',
  `import fs from 'node:fs'; import { batchedLines } from '${MODULE_URL}'; const lines = batchedLines(); ${program}`,
];

/** A child that waits for input, as one of a failed test does, would keep jest running. */
const ENDED = { timeout: 60_000, killSignal: 'SIGKILL' } as const;

describe('batchedLines', () => {
  beforeAll(() => {
    const { code } = transformFileSync(path.join(__dirname, 'batched-lines.ts'), {
      module: { type: 'es6' },
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    });
    fs.writeFileSync(MODULE, code);
  });
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  it('counts each dropped line in the metrics, and reports how many they are once a stopped reader continues', async () => {
    const program = `
      let counted = 0;
      const metrics = { counter: () => ({ labels: () => ({ inc: () => (counted += 1) }) }) };
      const measured = batchedLines(metrics);
      let iterations = 0;
      const iterate = () => {
        for (let i = 0; i < 1000; i++) measured.write('x'.repeat(1023) + '\\n');
        if (++iterations < 20) setImmediate(iterate);
        else process.stderr.write(String(counted));
      };
      iterate();
      process.stdin.resume();`;
    const child = spawn(process.execPath, writing(program), ENDED);
    const [counted] = (await once(child.stderr, 'data')) as [Buffer];
    const { read, reported } = await countLines(child.stdout, 20_000);
    child.stdin.end();
    await once(child, 'exit');

    expect(read + reported).toBe(20_000);
    expect(reported).toBeGreaterThan(0);
    expect(String(counted)).toBe(String(reported));
  });

  // A file that may not grow acts as a full disk, and accepts lines again once it has been truncated.
  (process.platform === 'linux' ? it : it.skip)(
    'keeps its lines while the disk is full, and writes them when there is room',
    async () => {
      const file = path.join(folder, 'full.log');
      const program = `
        const { write } = fs;
        fs.write = (fd, bytes, done) =>
          write(fd, bytes, (error, written) => {
            if (error && error.code !== 'EAGAIN') process.stderr.write('full');
            done(error, written);
            if (written === bytes.length) process.stderr.write('done');
          });
        for (let i = 0; i < 24; i++) lines.write(String(i).padEnd(999, 'x') + '\\n');
        process.stdin.resume();`;
      const command = 'ulimit -f 16; file=$1; shift; exec "$0" "$@" >>"$file"';
      const args = ['-c', command, process.execPath, file, ...writing(program)];
      const child = spawn('bash', args, ENDED);
      const [full] = (await once(child.stderr, 'data')) as [Buffer];
      const first = fs.readFileSync(file, 'utf8');
      fs.truncateSync(file);
      let printed = String(full);
      while (!printed.endsWith('done')) printed += String(await once(child.stderr, 'data'));
      child.stdin.end();
      await once(child, 'exit');

      const expected = Array.from({ length: 24 }, (_, i) => `${String(i).padEnd(999, 'x')}\n`);
      expect(first).toHaveLength(16 * 1024);
      expect(first + fs.readFileSync(file, 'utf8')).toBe(expected.join(''));
    },
  );

  it('writes the lines of a failed write, and those that wait, when the process exits', () => {
    const program = `
      const { write } = fs;
      fs.write = (fd, bytes, done) => {
        done(Object.assign(new Error(), { code: 'EAGAIN' }));
        lines.write('second\\n');
        process.exit(0);
      };
      lines.write('first\\n');`;
    const printed = execFileSync(process.execPath, writing(program), { encoding: 'utf8' });
    expect(printed).toBe('first\nsecond\n');
  });
});

/** Counts the lines that are read, and those that are reported as dropped, until all written ones are counted. */
async function countLines(stream: Readable, written: number) {
  let read = 0;
  let reported = 0;
  for await (const line of createInterface(stream)) {
    if (line.startsWith('{')) reported += (JSON.parse(line) as { lines: number }).lines;
    else read += 1;
    if (read + reported >= written) break;
  }
  return { read, reported };
}
