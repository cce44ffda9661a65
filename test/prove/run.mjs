// npm run prove [-- --short] [-- R2 R7 cluster ...]: runs the proofs, in their long form without --short.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
});
/** Fail if a response is late, and their many callers use the whole machine, so no other proof may run at the same time. */
const ALONE = ['/r7-', '/r8-', '/r10-r12-', '/r14-', '/r16-'];
/** Tolerate other work at a lower priority. */
const FIRST = ['/cluster-r4-', '/r3-'];
/** Not in CI: each takes half a minute and depends on little that changes (one also needs PyPI), or proves nothing in its short form. */
const RARE = ['/r18-', '/r19-', '/s8-'];
const files = positionals.map((proof) => `[/-]${proof.toLowerCase()}-[^/]*$`);
const names =
  positionals.length > 0 ? ['--testNamePattern', `\\b(${positionals.join('|')})\\b`] : [];
const env = { ...process.env, PROVE_FORM: values.short ? 'short' : 'long' };

/** For the short form of proofs on one instance, which is on SQLite. */
const WITHOUT_MONGOD = ['--globalSetup=<rootDir>/test/set-up/temporary-folder.ts'];

/** Priority of proofs without deadlines: below the others, and above CI's other work. */
const NICE = 5;

/** Runs proofs one after the other. */
async function run(args, nice = 0) {
  const config = ['--config', 'test/prove/jest.config.mjs', '--runInBand'];
  const jest = ['node_modules/jest/bin/jest.js', ...config, ...args];
  const child = spawn(process.execPath, jest, { env, stdio: 'inherit' });
  // Never above this process's own priority, which needs root.
  os.setPriority(child.pid, Math.min(os.getPriority() + nice, os.constants.priority.PRIORITY_LOW));
  const [status] = await once(child, 'exit');
  if (status !== 0) process.exitCode = 1;
}

if (values.short && positionals.length === 0) {
  // The proofs that CI runs. The remaining ones have no deadlines.
  const others = [...WITHOUT_MONGOD, '--testPathIgnorePatterns', ...ALONE, ...FIRST, ...RARE];
  await Promise.all([run(FIRST), run(others, NICE)]);
  await run([...WITHOUT_MONGOD, ...ALONE]);
} else {
  await run([...names, ...files]);
}
