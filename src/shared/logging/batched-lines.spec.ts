import { execFileSync, spawn, spawnSync } from 'node:child_process';
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

/** Arguments of Node for a program that writes lines. */
const writing = (program: string) => [
  '--input-type=module',
  '--eval',
  `import fs from 'node:fs'; import { batchedLines } from '${MODULE_URL}'; const lines = batchedLines(); ${program}`,
];

/** What a program prints that writes lines, and then does something else. */
const printed = (program: string) =>
  execFileSync(process.execPath, writing(program), { encoding: 'utf8' });

describe('batchedLines', () => {
  beforeAll(() => {
    const { code } = transformFileSync(path.join(__dirname, 'batched-lines.ts'), {
      module: { type: 'es6' },
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    });
    fs.writeFileSync(MODULE, code);
  });
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  it('writes every line, in order, also more than wait for a turn to end', () => {
    const program = `for (let i = 0; i < 5000; i++) lines.write(i + ' of a line\\n');`;
    const expected = Array.from({ length: 5000 }, (_, i) => `${i} of a line\n`).join('');
    expect(printed(program)).toBe(expected);
  });

  it('loses no line where the program ends in the same turn', () => {
    expect(printed(`lines.write('last words\\n'); process.exit(0);`)).toBe('last words\n');
  });

  // Linux alone has a file that is always full.
  (fs.existsSync('/dev/full') ? it : it.skip)('goes on where the disk is full', () => {
    const full = fs.openSync('/dev/full', 'w');
    const program = `
      let turns = 0;
      const turn = () => (lines.write('a line\\n'), ++turns < 100 ? setTimeout(turn) : process.stderr.write('goes on'));
      turn();`;
    const { status, stderr } = spawnSync(process.execPath, writing(program), {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    fs.closeSync(full);

    expect({ status, stderr }).toEqual({ status: 0, stderr: 'goes on' });
  });

  it('keeps no more than some megabytes for a reader that has stopped reading', async () => {
    const program = `
      const line = 'x'.repeat(1023) + '\\n';
      const before = process.memoryUsage().rss;
      for (let i = 0; i < 100_000; i++) lines.write(line + i);
      process.stderr.write(String(Math.round((process.memoryUsage().rss - before) / 1e6)));`;
    const child = spawn(process.execPath, writing(program), { stdio: ['ignore', 'pipe', 'pipe'] });
    const [megabytes] = (await once(child.stderr, 'data')) as [Buffer];
    child.kill('SIGKILL');

    expect(Number(megabytes)).toBeLessThan(50);
  });

  it('reports how many lines a reader has missed that had stopped reading, once it reads on', async () => {
    const program = `
      let turns = 0;
      const turn = () => {
        for (let i = 0; i < 1000; i++) lines.write('x'.repeat(1023) + '\\n');
        if (++turns < 20) setImmediate(turn);
        else process.stderr.write('written');
      };
      turn();
      process.stdin.resume();`;
    const child = spawn(process.execPath, writing(program));
    await once(child.stderr, 'data');
    const { read, reported } = await countLines(child.stdout, 20_000);
    child.stdin.end();
    await once(child, 'exit');

    expect(read + reported).toBe(20_000);
    expect(reported).toBeGreaterThan(0);
  });

  // A file that must not grow stands for a full disk, and takes lines again when it has been emptied.
  (process.platform === 'linux' ? it : it.skip)(
    'reports how many lines a full disk has not taken, on a line of its own, once it takes lines',
    async () => {
      const file = path.join(folder, 'full.log');
      const program = `
        const { write } = fs;
        fs.write = (fd, bytes, done) =>
          write(fd, bytes, (error, written) => {
            done(error, written);
            if (error || written === bytes.length) process.stderr.write('done');
          });
        process.stdin.on('data', () => {
          for (let i = 0; i < 100; i++) lines.write('x'.repeat(999) + '\\n');
        });`;
      const command = 'ulimit -f 16; file=$1; shift; exec "$0" "$@" >>"$file"';
      const args = ['-c', command, process.execPath, file, ...writing(program)];
      const child = spawn('bash', args);
      const write = async () => {
        child.stdin.write('more');
        await once(child.stderr, 'data');
        return fs.readFileSync(file, 'utf8');
      };

      const full = await write();
      await write();
      fs.truncateSync(file);
      const [first = '', second = '', third] = (await write()).split('\n');
      child.stdin.end();
      await once(child, 'exit');

      const whole = full.split('\n').length - 1;
      expect(full.length).toBe(16 * 1024);
      expect(first).toBe('');
      expect(JSON.parse(second)).toMatchObject({ level: 40, lines: 200 - whole });
      expect(third).toBe('x'.repeat(999));
    },
  );
});

/** The lines that are read, and those that are reported as lost, until they are as many as were written. */
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
