import 'reflect-metadata';
import { commandLine, print, progress, runCommandLine } from './command-line.js';
import { moveToMongodb } from './move-to-mongodb.js';

await runCommandLine(
  commandLine(
    'migrate-to-mongodb',
    'Copies the SQLite store in DATA_DIR into the empty database of MONGODB_URI, and verifies each record. Stop the ' +
      'service first. If it is interrupted, run it again: it begins anew.',
  ).action(() => print(moveToMongodb(process.env, progress))),
  'run the command again, which begins anew.',
);
