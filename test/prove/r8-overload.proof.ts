import { setTimeout } from 'node:timers/promises';
import { type Developer, LAPTOP, PASSWORD } from '../e2e/developer.js';
import type { HttpCaller } from '../http-caller.js';
import type { RunningService } from '../smoke/operator.js';
import { type Job, type Load, onTheWire, sendLoad, UNIQUE } from './overload/load.js';
import { FORM, prove, SOME_ENGINES, times } from './prove.js';
import { watchProcess, withService } from './processes.js';

const CAPACITY_SECONDS = times({ short: 1, long: 15 });
const OVERLOAD_SECONDS = times({ short: 3, long: 60 });
const TIMES_CAPACITY = 5;
/** Callers that cause the overload, each with a connection. */
const CALLERS = 2000;
/** Callers while measuring capacity: few enough that nothing is rejected, even if all of them log in at the same time. */
const FEW_CALLERS = 16;
/** More requests per second than any single-process service can handle. */
const MOST_OFFERED = 50_000;

/** The callers' addresses. If there are few callers, all may log in at the same time. */
const FROM = { network: 8, callersPerAddress: 4 };

/** On MongoDB, creations of one user run one after the other, of different users in parallel. */
const USERS = 8;
const TERMS = { duration: 6, services: ['Hosting'] };
/** How often all requests are sent between two logins, because a login costs a hundred times as much. */
const BETWEEN_LOGINS = 3;

/** Maximum p99 of the requests that are not rejected, in milliseconds. */
const LONGEST = 1000;
/** Maximum resident memory, in MB. */
const MEMORY = 400;

prove('R8', SOME_ENGINES, (engine) =>
  withService(
    engine,
    {},
    async (service) => {
      const requests = await mixedRequests(service);
      const common = { ...FROM, url: service.url, requests };
      const few = { ...common, callers: FEW_CALLERS, seconds: CAPACITY_SECONDS };
      await sendLoad(few);
      const { perSecond: capacity, statuses: measured } = await sendLoad(few);

      const memory = watchProcess(service.pid);
      const probes = { isOver: false };
      const probing = probeLiveness(service, probes);
      const many = { ...common, callers: CALLERS, seconds: OVERLOAD_SECONDS };
      const load = await overload(many, capacity * TIMES_CAPACITY).finally(memory.stop);
      const { megabytes } = memory.peak;
      probes.isOver = true;
      const probed = await probing;
      const after = await service.register().then(
        () => 201,
        () => 'a rejection',
      );

      const { statuses, p50, p99 } = load;
      const { 200: ok = 0, 201: created = 0, 429: limited = 0, 503: shed = 0, ...rest } = statuses;
      const { late = 0, ...others } = rest;
      const failures = [
        ...[load.failures, load.closed]
          .flatMap(Object.entries)
          .map(([reason, count]) => `${count} times ${reason}`),
        ...(load.withoutResponse > 0 ? [`${load.withoutResponse} without a response`] : []),
        ...Object.entries(others).map(([status, count]) => `${count} responses of ${status}`),
        ...probed.filter((status) => status !== 200).map((status) => `liveness said ${status}`),
        // Other load on the machine may be the only reason why the store is late.
        ...(late > times({ short: (ok + created) / 10, long: 0 })
          ? [`the store was late ${late} times`]
          : []),
        ...(measured[429] || measured[503]
          ? ['requests were rejected while capacity was measured']
          : []),
        ...(shed === 0 ? ['nothing was rejected, so there was no overload'] : []),
        ...(ok === 0 || created === 0 ? ['no request was served'] : []),
        ...(megabytes > MEMORY ? [`it grew to ${megabytes} MB`] : []),
        ...(after !== 201 ? [`right after the overload it responded ${after}`] : []),
        ...(p99 > LONGEST && FORM === 'long' ? [`a p99 of ${p99} ms`] : []),
      ];
      return {
        figures: {
          'capacity a second': Math.round(capacity),
          'offered a second': Math.round((load.sent + load.unsent) / OVERLOAD_SECONDS),
          served: ok + created,
          rejected: shed + limited,
          late,
          'p50 ms': p50,
          'p99 ms': p99,
          'MB before': memory.before,
          'MB at most': megabytes,
        },
        failures,
      };
    },
    'service.log',
  ),
);

/** Half validations and half writes of several users, with one login in a hundred, as raw requests. */
async function mixedRequests(service: HttpCaller): Promise<string[]> {
  const requests: string[] = [];
  const logins: string[][] = [];
  const post = (path: string, body: object, user?: Developer) =>
    onTheWire('POST', path, { body, ...(user && { token: user.token }) });
  for (let i = 0; i < USERS; i++) {
    const ada = await service.register();
    const license = await service.createActiveLicense(ada);
    const validation = post('/validate', { key: license.key, fingerprint: LAPTOP });
    const project = { clientId: license.client, projectName: 'Shop', ...TERMS };
    requests.push(
      validation,
      post('/clients', { name: 'Acme', email: `${UNIQUE}@acme.example` }, ada),
    );
    requests.push(validation, post('/projects/createProject', project, ada));
    // From another account: a hundred logins end the session of the first token.
    const { email } = await service.register();
    logins.push([validation, post('/auth/login', { email, password: PASSWORD })]);
  }
  const between = Array.from({ length: BETWEEN_LOGINS }, () => requests).flat();
  return logins.flatMap((login) => [...between, ...login]);
}

/** Doubles the rate until something is rejected: other load may have lowered the measured capacity. */
async function overload(job: Job, rate: number): Promise<Load> {
  const load = await sendLoad({ ...job, rate });
  return load.statuses[503] || rate > MOST_OFFERED ? load : overload(job, rate * 2);
}

/** Probes liveness continuously, like an orchestrator. */
async function probeLiveness(service: RunningService, run: { readonly isOver: boolean }) {
  const statuses: number[] = [];
  while (!run.isOver) {
    statuses.push((await service.get('/health/live')).status);
    await setTimeout(250);
  }
  return statuses;
}
