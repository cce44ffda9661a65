import 'reflect-metadata';
import { exportOrImportSigningKeys } from './export-or-import-signing-keys.js';
import { readPassphrase } from './passphrase.js';
import { runCommand } from './run-command.js';
import { USAGE } from './signing-keys-command.js';

await runCommand(USAGE, (args, env) => exportOrImportSigningKeys(args, env, readPassphrase));
