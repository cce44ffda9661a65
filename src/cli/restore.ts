import 'reflect-metadata';
import { restoreBackup } from './backup-commands.js';
import { commandLine, print, progress, runCommandLine } from './command-line.js';

await runCommandLine(
  commandLine(
    'restore',
    'Makes a backup the store of DATA_DIR, which must be empty but for jwt-secret and license-secret.',
  )
    .argument('<FILE>', 'the backup')
    .action((file: string) => print(restoreBackup(file, process.env, progress))),
  'nothing was restored.',
);
