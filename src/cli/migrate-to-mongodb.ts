import 'reflect-metadata';
import { moveToMongodb, USAGE } from './move-to-mongodb.js';
import { runCommand } from './run-command.js';

await runCommand(USAGE, moveToMongodb, 'run the command again, which begins anew.');
