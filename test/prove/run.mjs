// npm run prove [-- --short] [-- R2 R7 cluster ...]: runs the proofs, in their long form without --short.
import { parseArgs } from 'node:util';
import { run } from 'jest';

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
});
process.env.PROVE_FORM = values.short ? 'short' : 'long';
const files = positionals.map((proof) => `[/-]${proof.toLowerCase()}-[^/]*$`);
const names =
  positionals.length > 0 ? ['--testNamePattern', `\\b(${positionals.join('|')})\\b`] : [];
await run(['--config', 'test/prove/jest.config.mjs', '--runInBand', ...names, ...files]);
