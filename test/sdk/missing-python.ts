const SENTENCE =
  'No python3 of version 3.9 or newer with venv was found, so the tests of Python programs cannot run.';

/** A developer goes on with the other tests; in CI, tests that did not run must not look like tests that passed. */
export function reportMissingPython(env: NodeJS.ProcessEnv): void {
  if (env.CI === 'true') throw new Error(SENTENCE);
  process.stderr.write(`${SENTENCE}\n`);
}
