// Prints the options that keep local paths out of a crate, in the format of CARGO_ENCODED_RUSTFLAGS.
import os from 'node:os';
import path from 'node:path';
import { ROOT } from './stage.mjs';

const cargoHome = process.env.CARGO_HOME ?? path.join(os.homedir(), '.cargo');
const paths = { [ROOT]: '/license-management-client', [cargoHome]: '/cargo' };

export const RUST_FLAGS = Object.entries(paths)
  .map(([from, to]) => `--remap-path-prefix=${from}=${to}`)
  .join('\x1f');

if (import.meta.filename === process.argv[1]) process.stdout.write(RUST_FLAGS);
