import { once } from 'node:events';
import { MongoMemoryReplSet } from 'mongodb-memory-server-core';

let replicaSet: MongoMemoryReplSet | undefined;

/** Returns the URI, which names no database: each suite chooses its own. */
export async function startReplicaSet(): Promise<string> {
  replicaSet = new MongoMemoryReplSet({
    replSet: {
      count: 1,
      storageEngine: 'wiredTiger',
      args: [
        // Suites make commands fail on purpose with failCommand.
        ...['--setParameter', 'enableTestCommands=1'],
        // One that is killed would leave its socket file behind.
        '--nounixsocket',
        // Nobody will look at what it would write down of itself each second.
        ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
      ],
    },
    instanceOpts: [{ launchTimeout: 60_000 }],
  });
  try {
    await replicaSet.start();
    return replicaSet.getUri();
  } catch (error) {
    await stopReplicaSet();
    throw error;
  }
}

export async function stopReplicaSet(): Promise<void> {
  await killMember();
  await replicaSet?.stop({ doCleanup: true, force: true });
  replicaSet = undefined;
}

/** An orderly shutdown takes a second, for data that is removed next. */
async function killMember(): Promise<void> {
  const member = replicaSet?.servers[0]?.instanceInfo?.instance.mongodProcess;
  if (member?.exitCode !== null || member.signalCode !== null) return;
  const exit = once(member, 'exit');
  member.kill('SIGKILL');
  await exit;
}
