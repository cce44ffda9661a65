import 'reflect-metadata';
import { backUpStore } from './backup-commands.js';
import { commandLine, print, progress, runCommandLine } from './command-line.js';

await runCommandLine(
  commandLine('backup', 'Copies the SQLite store in DATA_DIR, also while the service runs.')
    .argument('<FILE>', 'a new file for the verified copy')
    .action((file: string) => print(backUpStore(file, process.env, progress))),
  'there is no backup.',
);
