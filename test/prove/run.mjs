// npm run prove [-- --short] [-- R2 R7 cluster ...]: runs the proofs, in their long form without --short.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
});
/** Their many callers take the whole machine, and a late response is a failure: no other proof may run beside them. */
const ALONE = ['/r3-', '/r7-', '/r8-', '/r10-r12-', '/r14-', '/r15-', '/cluster-r4-'];
const files = positionals.map((proof) => `[/-]${proof.toLowerCase()}-[^/]*$`);
const names =
  positionals.length > 0 ? ['--testNamePattern', `\\b(${positionals.join('|')})\\b`] : [];
// In the short form, which CI runs, the others run two at a time: most of the time they wait.
const runs =
  values.short && positionals.length === 0
    ? [
        ['--maxWorkers=2', '--testPathIgnorePatterns', ...ALONE],
        ['--runInBand', ...ALONE],
      ]
    : [['--runInBand', ...names, ...files]];
const env = { ...process.env, PROVE_FORM: values.short ? 'short' : 'long' };
for (const args of runs) {
  const jest = ['node_modules/jest/bin/jest.js', '--config', 'test/prove/jest.config.mjs', ...args];
  const { status } = spawnSync(process.execPath, jest, { env, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
