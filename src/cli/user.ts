import 'reflect-metadata';
import { loadDotEnv } from '../shared/config/dotenv.js';
import { describeFailure } from './describe-failure.js';
import { manageUsers } from './manage-users.js';
import { USAGE } from './user-command.js';

try {
  loadDotEnv();
  console.log(await manageUsers(process.argv.slice(2), process.env));
} catch (error) {
  console.error(describeFailure(error, USAGE));
  process.exitCode = 1;
}
