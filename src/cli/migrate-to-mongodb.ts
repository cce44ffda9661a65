import 'reflect-metadata';
import { moveToMongodb, USAGE } from './move-to-mongodb.js';
import { runCommand } from './run-command.js';

await runCommand(
  USAGE,
  async (progress) => {
    console.log(await moveToMongodb(process.argv.slice(2), process.env, progress));
  },
  'run the command again, and it goes on where it stopped.',
);
