import 'reflect-metadata';
import { loadDotEnv } from '../shared/config/dotenv.js';
import { carrySigningKeys } from './carry-signing-keys.js';
import { describeFailure } from './command-error.js';
import { readPassphrase } from './passphrase.js';
import { USAGE } from './signing-keys-command.js';

try {
  loadDotEnv();
  console.log(await carrySigningKeys(process.argv.slice(2), process.env, readPassphrase));
} catch (error) {
  console.error(describeFailure(error, USAGE));
  process.exitCode = 1;
}
