import { LAPTOP } from '../e2e/developer.js';
import { Random } from '../random.js';
import { Cluster } from './cluster/cluster.js';
import { failover } from './cluster/failover.js';
import { storeOutage } from './cluster/store-outage.js';
import { ServiceClock } from './clock/service-clock.js';
import { Load } from './killed/load.js';
import { FORM, type Outcome, prove, SEED, times } from './prove.js';
import { MANY_SEATS, race, SPEED } from './seats/race.js';
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
  prove('R15', ['cluster'], () => races(cluster));
});

const REVOCATIONS = times({ short: 24, long: 1_000 });

/** R6: a license revoked on one instance is valid on no other. Half of the licenses were in use a moment earlier. */
async function revocations({ service, instances }: Cluster): Promise<Outcome> {
  const ada = await service.register();
  const { project } = await service.createLicense(ada);
  const failures: string[] = [];
  for (let round = 0; round < REVOCATIONS; round += 1) {
    const license = await service.addLicense(ada, project);
    const by = instances[(round >> 1) % instances.length]!;
    const validateAll = () =>
      Promise.all(instances.map((each) => each.validationOf(license, LAPTOP)));
    if (round % 2 === 0) {
      await by.activate(license, LAPTOP);
      const wrong = (await validateAll()).filter((status) => status !== 'active');
      failures.push(...wrong.map((status) => `an active license is ${status}`));
    }
    const path = `/licenses/${license._id}/revoke`;
    const { status } = await by.post(path, { reason: 'Refunded' }, ada);
    if (status !== 200) failures.push(`${status} to a revocation`);
    const valid = (await validateAll()).filter((status) => status !== 'revoked');
    failures.push(...valid.map((status) => `${status} after a revocation`));
  }
  const validations = REVOCATIONS * instances.length;
  return { figures: { revocations: REVOCATIONS, validations }, failures };
}

/** How often the primary is killed, in the long form each time after every instance. */
const ROUNDS = times({ short: 1, long: 10 });

/** R13 on several instances: one instance, the primary, and finally all instances are killed. */
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
  const killEach = indexes.map((index) => () => cluster.restart(index, 'SIGKILL'));
  const round = FORM === 'long' ? [...killEach, killPrimary] : [killPrimary];
  const killAll = () =>
    Promise.all(indexes.map((index) => cluster.restart(index, 'SIGKILL', CLOCK_AHEAD)));
  const contradictions = () => cluster.contradictions();
  const target = { service, contradictions, isProxied: true };
  return noneLost(target, [...Array.from({ length: ROUNDS }, () => round).flat(), killAll]);
}

/** Later than any clock set by earlier proofs, in milliseconds. */
const AHEAD = 3_600_000;

/** R15 on several instances, restarted with a faster clock. */
async function races(cluster: Cluster): Promise<Outcome> {
  const clock = new ServiceClock(SPEED, AHEAD);
  const indexes = [...cluster.instances.keys()];
  await Promise.all(indexes.map((index) => cluster.restart(index, 'SIGTERM', clock.env)));
  const { instances } = cluster;
  const contradictions = () => cluster.contradictions();
  return race({ instances, clock, contradictions }, MANY_SEATS);
}

const RESTART_ROUNDS = times({ short: 1, long: 25 });
/** Instances restarted per round. With two, nginx needs a while to use the first one again. */
const RESTARTED = times({ short: 1, long: 4 });

/** R7: a rolling restart rejects no request and breaks no connection, which callers would otherwise have to retry. */
async function rollingRestart(cluster: Cluster): Promise<Outcome> {
  const random = new Random(SEED);
  const seen = { restarts: 0, requests: 0, 'slowest ms': 0, rejected: 0, late: 0 };
  const failures: string[] = [];
  for (let round = 1; round <= RESTART_ROUNDS; round++) {
    const load = await Load.during(`round ${round}`, cluster, random, async () => {
      for (let index = 0; index < RESTARTED; index++) await cluster.restart(index);
    });
    const { requests, slowest, repeated, unavailable } = load.service;
    seen.restarts += RESTARTED;
    seen.requests += requests;
    seen['slowest ms'] = Math.max(seen['slowest ms'], Math.round(slowest));
    seen.rejected += repeated - unavailable;
    seen.late += unavailable;
    failures.push(...load.failures);
  }
  if (seen.rejected > 0) failures.push(`${seen.rejected} requests were rejected`);
  // In the short form, other work on the machine may be the reason.
  if (FORM === 'long' && seen.late > 0) failures.push(`the store was late ${seen.late} times`);
  return { figures: seen, failures };
}
