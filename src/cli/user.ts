import 'reflect-metadata';
import { print, runCommandLine } from './command-line.js';
import { manageUsers } from './manage-users.js';
import { userProgram } from './user-program.js';

await runCommandLine(userProgram((command) => print(manageUsers(command, process.env))));
