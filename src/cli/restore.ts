import 'reflect-metadata';
import { RESTORE_USAGE, restoreBackup } from './backup-commands.js';
import { runCommand } from './run-command.js';

await runCommand(RESTORE_USAGE, restoreBackup, 'nothing was restored.');
