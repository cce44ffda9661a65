import { findMongod } from '../mongod/find-mongod';
import { ReplicaSet } from '../mongod/replica-set';
import { reportMissingTool } from './missing-tool';

const MISSING =
  'No mongod was found and none could be downloaded, so the suites that need one cannot run; ' +
  'MONGOMS_SYSTEM_BINARY can name one.';

let started: Promise<ReplicaSet | undefined> | undefined;

/** For projects that need a mongod. The first one in a run starts it, and the others share it. */
export default async function setUpMongod(): Promise<void> {
  await (started ??= start());
}

export async function stopMongod(): Promise<void> {
  await (await started)?.remove();
}

async function start(): Promise<ReplicaSet | undefined> {
  // A value from outside might be a database that somebody needs.
  delete process.env.TEST_MONGODB_URI;
  delete process.env.TEST_MONGOD;

  const binary = await findMongod();
  if (binary === undefined) {
    reportMissingTool(MISSING, process.env);
    return undefined;
  }
  // The library reads these in the workers too, and would prefer a broken binary named there to one passed to it.
  process.env.MONGOMS_SYSTEM_BINARY = binary;
  process.env.MONGOMS_SYSTEM_BINARY_VERSION_CHECK = 'false';
  process.env.TEST_MONGOD = binary;
  const mongod = await ReplicaSet.start();
  process.env.TEST_MONGODB_URI = mongod.uri();
  return mongod;
}
