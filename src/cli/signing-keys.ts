import 'reflect-metadata';
import { carrySigningKeys } from './carry-signing-keys.js';
import { readPassphrase } from './passphrase.js';
import { runCommand } from './run-command.js';
import { USAGE } from './signing-keys-command.js';

await runCommand(USAGE, async () => {
  console.log(await carrySigningKeys(process.argv.slice(2), process.env, readPassphrase));
});
