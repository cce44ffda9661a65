import type { Ending } from '../smoke/running-process.js';

/** Nothing listens on port 2: connections to it are rejected at once. */
export const NOWHERE = 'http://127.0.0.1:2';

/** Expects that a program has not run, and has told its user why and what to do in one line. */
export function expectRejection(
  { code, stdout, stderr }: Ending,
  exit: number,
  ...words: string[]
) {
  expect({ code, stdout, stderr }).toEqual({
    code: exit,
    stdout: '',
    stderr: expect.stringMatching(/^[A-Z].+\.\n$/) as string,
  });
  for (const word of words) expect(stderr).toContain(word);
}
