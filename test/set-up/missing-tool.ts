/**
 * Says that tests are skipped because a tool is missing. A developer still has the other tests; in CI, tests that did not
 * run must not look like tests that passed.
 */
export function reportMissingTool(sentence: string, env: NodeJS.ProcessEnv): void {
  if (env.CI === 'true') throw new Error(sentence);
  process.stderr.write(`${sentence}\n`);
}
