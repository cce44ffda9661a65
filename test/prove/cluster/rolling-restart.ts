import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { LAPTOP } from '../../e2e/developer.js';
import type { HttpResponse } from '../../http-caller.js';
import { Random } from '../../random.js';
import { FORM, type Outcome, SEED, times } from '../prove.js';
import type { Cluster } from './cluster.js';

const ROUNDS = times({ short: 1, long: 25 });
/** Instances that are restarted in a round. Of two, nginx needs a while to call the first one again. */
const RESTARTED = times({ short: 1, long: 4 });
const ACCOUNTS = 8;
/** Of each account, two callers that keep their connections alive. */
const CALLERS = 2;
/** Longest time between two requests of a caller, in milliseconds. */
const PAUSE = 100;

/** From this duration on, in milliseconds, a failure means that MongoDB was slow: the deadline is 2.8 s. */
const LATE = 2_500;

/** R7: a rolling restart fails no request that may be repeated. The callers themselves repeat none. */
export async function rollingRestart(cluster: Cluster): Promise<Outcome> {
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
    return Array.from({ length: CALLERS }, call);
  };
  const accounts = Array.from({ length: ACCOUNTS }, callersOf);
  const calling = (await Promise.all(accounts)).flat();
  for (let round = 1; round <= ROUNDS; round++) {
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
