import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const MODULE = pathToFileURL(path.resolve('dist/shared/logging/batched-lines.js')).href;

/** Arguments of Node for a program that writes lines. */
const writing = (program: string) => [
  '--input-type=module',
  '--eval',
  `import { batchedLines } from '${MODULE}'; const lines = batchedLines(); ${program}`,
];

/** What a program prints that writes lines, and then does something else. */
const printed = (program: string) =>
  execFileSync(process.execPath, writing(program), { encoding: 'utf8' });

describe('batchedLines', () => {
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
});
