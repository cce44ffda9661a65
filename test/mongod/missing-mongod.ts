const SENTENCE =
  'No mongod was found and none could be downloaded, so the suites that need one cannot run; ' +
  'MONGOMS_SYSTEM_BINARY can name one.';

/** A developer goes on with the other suites; in CI, tests that did not run must not look like tests that passed. */
export function reportMissingMongod(env: NodeJS.ProcessEnv): void {
  if (env.CI === 'true') throw new Error(SENTENCE);
  process.stderr.write(`${SENTENCE}\n`);
}
