import type { Ending } from './running-process.js';

/**
 * Expects that a process has failed, and has told why and what to do in one line, without a stack.
 *
 * @param words what the line must name: the cause, and the remedy
 */
export function expectOneSentence({ code, stdout, stderr }: Ending, ...words: string[]): void {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringMatching(/\.$/)] });
  expect(stdout + stderr).not.toMatch(/(^|\\n) +at /m);
  for (const word of words) expect(lines[0]).toContain(word);
}
