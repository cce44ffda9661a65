import { findMongod } from '../../test/mongod/dist/find-mongod.js';
import { ReplicaSet } from '../../test/mongod/dist/replica-set.js';

/** Calls `run` with the URI of a new replica set of one member, or with undefined where there is no mongod. */
export async function withReplicaSet(run) {
  const mongod = await findMongod();
  if (mongod === undefined) return run(undefined);
  process.env.MONGOMS_SYSTEM_BINARY = mongod;
  process.env.MONGOMS_SYSTEM_BINARY_VERSION_CHECK = 'false';
  const server = await ReplicaSet.start();
  const uri = new URL(server.uri());
  uri.pathname = '/licenses';
  try {
    return await run(uri.href);
  } finally {
    await server.remove();
  }
}
