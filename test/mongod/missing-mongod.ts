const SENTENCE =
  'No mongod was found and none could be downloaded, so the suites that need one cannot run; ' +
  'MONGOMS_SYSTEM_BINARY can name one.';

/** Only a warning for a developer. In CI it fails, so that tests that did not run do not look like tests that passed. */
export function reportMissingMongod(env: NodeJS.ProcessEnv): void {
  if (env.CI === 'true') throw new Error(SENTENCE);
  process.stderr.write(`${SENTENCE}\n`);
}
