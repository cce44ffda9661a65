import 'reflect-metadata';
import { print, runCommandLine } from './command-line.js';
import { exportOrImportSigningKeys } from './export-or-import-signing-keys.js';
import { readPassphrase } from './passphrase.js';
import { signingKeysProgram } from './signing-keys-program.js';

await runCommandLine(
  signingKeysProgram((command) =>
    print(exportOrImportSigningKeys(command, process.env, readPassphrase)),
  ),
);
