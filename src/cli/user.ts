import 'reflect-metadata';
import { manageUsers } from './manage-users.js';
import { runCommand } from './run-command.js';
import { USAGE } from './user-command.js';

await runCommand(USAGE, manageUsers);
