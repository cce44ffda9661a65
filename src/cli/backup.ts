import 'reflect-metadata';
import { BACKUP_USAGE, backUpStore } from './backup-commands.js';
import { runCommand } from './run-command.js';

await runCommand(
  BACKUP_USAGE,
  async (progress) => {
    console.log(await backUpStore(process.argv.slice(2), process.env, progress));
  },
  'there is no backup.',
);
