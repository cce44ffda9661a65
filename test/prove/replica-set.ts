import { freePort } from '../free-port.js';
import { ReplicaSet } from '../mongod/replica-set.js';

/** Starts a replica set of this many members, which can be restarted. */
export async function startReplicaSet(count: number, configSettings = {}): Promise<ReplicaSet> {
  const ports = await Promise.all(Array.from({ length: count }, () => freePort('127.0.0.1')));
  return ReplicaSet.start({ ports, configSettings, args: ['--wiredTigerCacheSizeGB', '0.5'] });
}
