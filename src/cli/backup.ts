import 'reflect-metadata';
import { BACKUP_USAGE, backUpStore } from './backup-commands.js';
import { runCommand } from './run-command.js';

await runCommand(BACKUP_USAGE, backUpStore, 'there is no backup.');
