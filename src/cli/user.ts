import 'reflect-metadata';
import { loadDotEnv } from '../shared/config/dotenv.js';
import { describeFailure } from './command-error.js';
import { manageUsers } from './manage-users.js';
import { USAGE } from './user-command.js';

try {
  loadDotEnv();
  for await (const text of manageUsers(process.argv.slice(2), process.env)) console.log(text);
} catch (error) {
  console.error(describeFailure(error, USAGE));
  process.exitCode = 1;
}
