import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const MODULE = pathToFileURL(path.resolve('dist/shared/logging/batched-lines.js')).href;

/** What a program prints that writes lines, and then does something else. */
const printed = (program: string) =>
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { batchedLines } from '${MODULE}'; const lines = batchedLines(); ${program}`,
    ],
    { encoding: 'utf8' },
  );

describe('batchedLines', () => {
  it('writes every line, in order, also more than wait for a turn to end', () => {
    const program = `for (let i = 0; i < 5000; i++) lines.write(i + ' of a line\\n');`;
    const expected = Array.from({ length: 5000 }, (_, i) => `${i} of a line\n`).join('');
    expect(printed(program)).toBe(expected);
  });

  it('loses no line where the program ends in the same turn', () => {
    expect(printed(`lines.write('last words\\n'); process.exit(0);`)).toBe('last words\n');
  });
});
