import type { Ending } from './running-process.js';

/**
 * Expects that a process has failed, and has printed one line with the cause and the remedy, without a stack.
 *
 * @param words that the line must contain
 */
export function expectOneSentence({ code, stdout, stderr }: Ending, ...words: string[]): void {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringMatching(/\.$/)] });
  expect(stdout + stderr).not.toMatch(/(^|\\n) +at /m);
  for (const word of words) expect(lines[0]).toContain(word);
}
