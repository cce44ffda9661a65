const SENTENCE =
  'No nginx was found on the PATH of a Linux system, so the tests of limits behind a proxy cannot run.';

/** A developer goes on with the other tests; in CI, tests that did not run must not look like tests that passed. */
export function reportMissingNginx(env: NodeJS.ProcessEnv): void {
  if (env.CI === 'true') throw new Error(SENTENCE);
  process.stderr.write(`${SENTENCE}\n`);
}
