import { createLicense, registerDeveloper, unknownKey } from '../../e2e/developer.js';
import { type Outcome, times } from '../prove.js';
import type { Cluster } from './cluster.js';
import { isTemporary } from '../killed/load.js';

const LIMIT = 5;
const ACTIVATIONS = 15;
const ADDRESSES = times({ short: 5, long: 50 });
const STEP_DOWNS = times({ short: 1, long: 5 });

/** S1: the activation limit of an address holds over all instances. Each address is new. */
export async function activationLimit(cluster: Cluster): Promise<Outcome> {
  const { service, replicaSet } = cluster;
  const failures: string[] = [];
  const seen = { addresses: 0, passed: 0, duringFailovers: 0 };
  const { key } = await createLicense(service, await registerDeveloper(service));

  /** Whether an activation is counted by the limit, and not rejected by it. */
  const passes = async (address: string, tried: string) => {
    const body = { key: tried, fingerprint: 'fingerprint-of-a-machine' };
    const response = await service.post('/validate/activate', body, { from: address });
    if (response.status === 429) return 'limited';
    return isTemporary('/validate/activate', response) ? 'failed' : 'passed';
  };
  const nextAddress = () => `198.51.${100 + (seen.addresses >> 8)}.${seen.addresses++ & 255}`;
  const passedOf = (outcomes: readonly string[]) =>
    outcomes.filter((outcome) => outcome === 'passed').length;
  const expectExactly = (how: string, outcomes: readonly string[]) => {
    seen.passed += passedOf(outcomes);
    if (passedOf(outcomes) !== LIMIT) {
      failures.push(`${how}: ${passedOf(outcomes)} of ${ACTIVATIONS} passed`);
    }
  };

  for (let i = 0; i < ADDRESSES; i++) {
    const address = nextAddress();
    const atOnce = Array.from({ length: ACTIVATIONS }, () => passes(address, key));
    expectExactly('at once', await Promise.all(atOnce));
    const other = nextAddress();
    const oneByOne: string[] = [];
    while (oneByOne.length < ACTIVATIONS) {
      oneByOne.push(await passes(other, unknownKey(oneByOne.length)));
    }
    expectExactly('one by one', oneByOne);
  }
  for (let i = 0; i < STEP_DOWNS; i++) {
    const primary = await replicaSet.primary();
    const trying = Array.from({ length: ADDRESSES }, async () => {
      const address = nextAddress();
      const outcomes: string[] = [];
      while (outcomes.filter((outcome) => outcome !== 'failed').length < ACTIVATIONS) {
        outcomes.push(await passes(address, key));
      }
      const passed = passedOf(outcomes);
      seen.duringFailovers += passed;
      if (passed > LIMIT) failures.push(`during a failover: ${passed} passed`);
    });
    await primary.command({ replSetStepDown: 5, secondaryCatchUpPeriodSecs: 5, force: true });
    await Promise.all(trying);
  }
  return { figures: seen, failures };
}
