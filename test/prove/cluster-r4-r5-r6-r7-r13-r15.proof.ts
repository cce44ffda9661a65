import { type Developer, LAPTOP } from '../e2e/developer.js';
import { Cluster } from './cluster/cluster.js';
import { failover } from './cluster/failover.js';
import { rollingRestart } from './cluster/rolling-restart.js';
import { storeOutage } from './cluster/store-outage.js';
import { type Outcome, prove, times } from './prove.js';
import { raceForPlaces } from './race-for-places.js';
import { CLOCK_AHEAD, noneLost } from './webhooks/none-lost.js';

describe('Four instances on a replica set', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await Cluster.start();
  });
  afterAll(() => cluster?.leave());

  prove('R4', ['cluster'], () => failover(cluster));
  prove('R5', ['cluster'], () => storeOutage(cluster));
  prove('R6', ['cluster'], () => revocations(cluster));
  prove('R7', ['cluster'], () => rollingRestart(cluster));
  prove('R13', ['cluster'], () => webhooks(cluster));
  prove('R15', ['cluster'], () => raceForPlaces(cluster.instances));
});

const REVOCATIONS = times({ short: 24, long: 1_000 });
const CALLERS = 8;

/** R6: what an instance has revoked is valid at no other. */
async function revocations({ service, instances }: Cluster): Promise<Outcome> {
  const failures: string[] = [];
  const seen = { revocations: 0, usedBefore: 0, validations: 0, valid: 0 };

  /** Revokes a license by one instance, and validates it by all of them at once. */
  const revoke = async (ada: Developer, project: string, round: number) => {
    const license = await service.addLicense(ada, project);
    const by = instances[(round >> 1) % instances.length]!;
    const others = instances.filter((each) => each !== by);
    if (round % 2 === 0) {
      seen.usedBefore += 1;
      await by.activate(license, LAPTOP);
      const statuses = others.map((each) => each.validationOf(license, LAPTOP));
      for (const status of await Promise.all(statuses)) {
        if (status !== 'active') failures.push(`an active license is ${status}`);
      }
    }
    const path = `/licenses/${license._id}/revoke`;
    const { status } = await by.post(path, { reason: 'Refunded' }, ada);
    if (status !== 200) failures.push(`${status} to a revocation`);
    const after = instances.map((each) => each.validationOf(license, LAPTOP));
    for (const status of await Promise.all(after)) {
      seen.validations += 1;
      if (status !== 'revoked') seen.valid += 1;
    }
    seen.revocations += 1;
  };
  const call = async (caller: number) => {
    const ada = await service.register();
    const { project } = await service.createLicense(ada);
    for (let i = caller; i < REVOCATIONS; i += CALLERS) await revoke(ada, project, i);
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));

  if (seen.valid > 0) failures.push(`${seen.valid} validations after a revocation`);
  return { figures: seen, failures };
}

/** Each instance is killed that often, and once the primary after it. */
const ROUNDS = times({ short: 1, long: 10 });
/** Instances that are killed in a round. */
const INSTANCES = times({ short: 1, long: 4 });

/** R13 on several instances: one, the primary, and at last all instances at once are killed. */
function webhooks(cluster: Cluster): Promise<Outcome> {
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
