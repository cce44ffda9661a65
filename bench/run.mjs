// npm run bench [-- --short] [-- --only=validate,start]: measures the service, in the long form unless --short is given.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const config = ['--config', 'bench/jest.config.mjs'];
const names = values.only ? ['--testNamePattern', `^(${values.only.replaceAll(',', '|')}) `] : [];
const env = {
  ...process.env,
  PROVE_FORM: values.short ? 'short' : 'long',
  // docs/contribute/performance.md reports complete runs in the long form.
  ...(!values.short && !values.only && { BENCH_DOCUMENT: 'docs/contribute/performance.md' }),
};
const jest = ['node_modules/jest/bin/jest.js', ...config, ...names];
process.exitCode = spawnSync(process.execPath, jest, { env, stdio: 'inherit' }).status ?? 1;
if (env.BENCH_DOCUMENT) spawnSync('npx', ['oxfmt', env.BENCH_DOCUMENT], { stdio: 'inherit' });
