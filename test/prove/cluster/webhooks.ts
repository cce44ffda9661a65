import { type Outcome, times } from '../prove.js';
import { CLOCK_AHEAD, noneLost } from '../webhooks/none-lost.js';
import type { Cluster } from './cluster.js';

/** Each instance is killed that often, and once the primary after it. */
const ROUNDS = times({ short: 1, long: 10 });
/** Instances that are killed in a round. */
const INSTANCES = times({ short: 1, long: 4 });

/** R13 on several instances: one, the primary, and at last all instances at once are killed. */
export function webhooks(cluster: Cluster): Promise<Outcome> {
  const { service, instances, replicaSet } = cluster;
  const indexes = [...instances.keys()];
  const killPrimary = async () => {
    const primary = await replicaSet.primary();
    await primary.kill();
    await replicaSet.primary(primary);
    await primary.start();
    await cluster.untilReady();
  };
  const round = [
    ...indexes.slice(0, INSTANCES).map((index) => () => cluster.restart(index, 'SIGKILL')),
    killPrimary,
  ];
  const killAll = () =>
    Promise.all(indexes.map((index) => cluster.restart(index, 'SIGKILL', CLOCK_AHEAD)));
  const contradictions = () => cluster.contradictions();
  const target = { service, contradictions, isProxied: true };
  return noneLost(target, [...Array.from({ length: ROUNDS }, () => round).flat(), killAll]);
}
