import { findMongod } from '../mongod/find-mongod';
import { reportMissingMongod } from '../mongod/missing-mongod';
import { OwnMongod } from '../mongod/own-mongod';

let started: Promise<OwnMongod | undefined> | undefined;

/** For the projects that need a mongod: the first of a run starts it, the others share it. */
export default async function setUpMongod(): Promise<void> {
  await (started ??= start());
}

export async function stopMongod(): Promise<void> {
  await (await started)?.stop();
}

async function start(): Promise<OwnMongod | undefined> {
  // A value from outside might be a database that somebody needs.
  delete process.env.TEST_MONGODB_URI;
  delete process.env.TEST_MONGOD;

  const binary = await findMongod();
  if (binary === undefined) {
    reportMissingMongod(process.env);
    return undefined;
  }
  // The library reads these in the workers too, and would prefer a broken binary named there to one passed to it.
  process.env.MONGOMS_SYSTEM_BINARY = binary;
  process.env.MONGOMS_SYSTEM_BINARY_VERSION_CHECK = 'false';
  process.env.TEST_MONGOD = binary;
  const mongod = await OwnMongod.start();
  process.env.TEST_MONGODB_URI = mongod.uri;
  return mongod;
}
