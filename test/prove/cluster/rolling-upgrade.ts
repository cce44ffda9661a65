import { setTimeout } from 'node:timers/promises';
import { Random } from '../../random.js';
import { type Outcome, SEED, times } from '../prove.js';
import type { Cluster } from './cluster.js';
import { Load } from './load.js';

/** Time for which both versions serve after each instance that is replaced, in milliseconds. */
const BESIDE_EACH_OTHER = times({ short: 500, long: 20_000 });

/**
 * Instances of the version before are replaced one at a time under load. Nothing is lost or applied twice, and every
 * record reads the same on both versions: all are compared while half of the instances are replaced, and at the end.
 *
 * @param cluster of the version before
 */
export async function rollingUpgrade(cluster: Cluster): Promise<Outcome> {
  const random = new Random(SEED);
  const seen = { replaced: 0, acknowledged: 0, responses: 0, rejected: 0 };
  const failures: string[] = [];
  const indexes = [...cluster.instances.keys()];
  const half = indexes.length / 2;
  for (const part of [indexes.slice(0, half), indexes.slice(half)]) {
    const load = await Load.begin(cluster.service, random);
    for (const index of part) {
      await setTimeout(BESIDE_EACH_OTHER);
      await cluster.restart(index);
      seen.replaced += 1;
    }
    await setTimeout(BESIDE_EACH_OTHER);
    await load.end(() => cluster.contradictions());
    seen.acknowledged += load.acknowledged;
    seen.responses += load.responses;
    seen.rejected += load.rejected;
    failures.push(...load.failures.map((text) => `${seen.replaced} replaced: ${text}`));
  }
  return { figures: { ...seen, failures: failures.length }, failures };
}
