const SENTENCE =
  'No Chromium was found on the PATH, so the tests of the console cannot run; CHROMIUM can name one.';

/** A developer goes on with the other tests; in CI, tests that did not run must not look like tests that passed. */
export function reportMissingChromium(env: NodeJS.ProcessEnv): void {
  if (env.CI === 'true') throw new Error(SENTENCE);
  process.stderr.write(`${SENTENCE}\n`);
}
