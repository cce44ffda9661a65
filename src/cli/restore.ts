import 'reflect-metadata';
import { RESTORE_USAGE, restoreBackup } from './backup-commands.js';
import { runCommand } from './run-command.js';

await runCommand(
  RESTORE_USAGE,
  async (progress) => {
    console.log(await restoreBackup(process.argv.slice(2), process.env, progress));
  },
  'nothing was restored.',
);
