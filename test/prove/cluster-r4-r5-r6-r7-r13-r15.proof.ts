import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Developer, LAPTOP } from '../e2e/developer.js';
import type { HttpResponse } from '../http-caller.js';
import { Random } from '../random.js';
import { Cluster } from './cluster/cluster.js';
import { failover } from './cluster/failover.js';
import { storeOutage } from './cluster/store-outage.js';
import { ServiceClock } from './clock/service-clock.js';
import { FORM, type Outcome, prove, SEED, times } from './prove.js';
import { SPEED } from './seats/lease-race.js';
import { race } from './seats/race.js';
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

/** Later than any clock that the proofs before have set, in milliseconds. */
const AHEAD = 3_600_000;

/** R15 on several instances, which are restarted with a faster clock. */
async function races(cluster: Cluster): Promise<Outcome> {
  const clock = new ServiceClock(SPEED, AHEAD);
  const indexes = [...cluster.instances.keys()];
  await Promise.all(indexes.map((index) => cluster.restart(index, 'SIGTERM', clock.env)));
  const { instances } = cluster;
  const contradictions = () => cluster.contradictions();
  return race({ instances, clock, contradictions });
}

const RESTART_ROUNDS = times({ short: 1, long: 25 });
/** Instances that are restarted in a round. Of two, nginx needs a while to call the first one again. */
const RESTARTED = times({ short: 1, long: 4 });
const ACCOUNTS = 8;
/** Of each account, two callers that keep their connections alive. */
const CALLERS_AN_ACCOUNT = 2;
/** Longest time between two requests of a caller, in milliseconds. */
const PAUSE = 100;

/** From this duration on, in milliseconds, a failure means that MongoDB was slow: the deadline is 2.8 s. */
const LATE = 2_500;

/** R7: a rolling restart fails no request that may be repeated. The callers themselves repeat none. */
async function rollingRestart(cluster: Cluster): Promise<Outcome> {
  const { service, instances } = cluster;
  const random = new Random(SEED);
  const failures: string[] = [];
  const seen = { restarts: 0, responses: 0, slowest: 0, late: 0 };
  let isOver = false;

  const callersOf = async () => {
    const ada = await service.register();
    const { key } = await service.createLicense(ada);
    const body = { key, fingerprint: LAPTOP };
    const once = () => ({ ...ada, headers: { 'Idempotency-Key': randomUUID() } });
    const requests: Record<string, () => Promise<HttpResponse>> = {
      validation: () => service.post('/validate', body),
      activation: () => service.post('/validate/activate', body),
      dashboard: () => service.get('/dashboard', ada),
      creation: () =>
        service.post('/clients', { name: 'Acme', email: `${randomUUID()}@acme.example` }, once()),
    };
    const names = Object.keys(requests);
    const call = async () => {
      while (!isOver) {
        const name = random.of(names);
        const sent = performance.now();
        const outcome = await requests[name]!().then(
          ({ status }) => status,
          (error: Error) => error.message,
        );
        const took = Math.round(performance.now() - sent);
        seen.responses += 1;
        seen.slowest = Math.max(seen.slowest, took);
        if (outcome === 200 || outcome === 201) await setTimeout(random.next() * PAUSE);
        else if (Number(outcome) >= 500 && took > LATE) seen.late += 1;
        else failures.push(`${outcome} to a ${name} after ${took} ms`);
      }
    };
    return Array.from({ length: CALLERS_AN_ACCOUNT }, call);
  };
  const accounts = Array.from({ length: ACCOUNTS }, callersOf);
  const calling = (await Promise.all(accounts)).flat();
  for (let round = 1; round <= RESTART_ROUNDS; round++) {
    for (const index of [...instances.keys()].slice(0, RESTARTED)) {
      await cluster.restart(index);
      seen.restarts += 1;
    }
  }
  isOver = true;
  await Promise.all(calling);
  // In the short form, other work on the machine may be the reason.
  if (FORM === 'long' && seen.late > 0) failures.push(`${seen.late} times a late store`);
  return { figures: seen, failures };
}
