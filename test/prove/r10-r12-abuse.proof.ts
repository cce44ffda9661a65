import { type Engine, EVERY_ENGINE } from '../engines.js';
import { AppendingProxy } from '../nginx/appending-proxy.js';
import { nginx } from '../nginx/nginx.js';
import { NO_LIMITS } from '../no-limits.js';
import type { Operator } from '../smoke/operator.js';
import { fillStore, MACHINES } from './abuse/fill-store.js';
import { loadsOf, MAX_CONNECTIONS, PROXY_NETWORK, STUCK } from './abuse/loads.js';
import {
  addCustomer,
  boundsOutcome,
  checksOutcome,
  CONNECTIONS,
  KEPT,
  measure,
  type Measured,
  type Run,
  untilCalm,
} from './abuse/measure.js';
import { holdStuck } from './abuse/stuck-callers.js';
import { addMachines } from './many-machines/add-machines.js';
import { FORM, prove, times } from './prove.js';
import { withOperator } from './processes.js';

const SECONDS = times({ short: 0.5, long: 60 });
/** Of too many connections, as it takes 0.6 seconds to open them. */
const CONNECTION_SECONDS = times({ short: 1, long: 60 });

/** Seconds in addition to the longest that one may be kept, in which all connections without progress are opened. */
const MARGIN = 10;

/** In the short form, what does not reach the store is tried on SQLite alone. */
const REACHES_STORE = /^(creations|dashboards|heartbeats|activations.*|.*-large)$/;

const isBehindNginx = (name: string) => name.startsWith('nginx-');

/** Limits and quotas are on, but for those that would end the creations: 1,000 in a minute, 50,000 in all. */
const ENV = {
  ...{ WRITE_LIMIT: '0', PROJECT_QUOTA: '0', LICENSE_QUOTA: '0' },
  TRUSTED_PROXIES: `127.0.0.1,127.${PROXY_NETWORK}.0.0/16`,
  MAX_CONNECTIONS: String(MAX_CONNECTIONS),
};

// One run proves both: R10 the effect of each load on the customer, R12 its effect on the service.
const runs: Partial<Record<Engine, Promise<Run>>> = {};
const run = (engine: Engine) =>
  (runs[engine] ??= withOperator(engine, ENV, runLoads.bind(undefined, engine), 'service.log'));

prove('R10', EVERY_ENGINE, async (engine) => checksOutcome(await run(engine)));
prove('R12', EVERY_ENGINE, async (engine) => boundsOutcome(await run(engine)));

async function runLoads(engine: Engine, operator: Operator, env: NodeJS.ProcessEnv): Promise<Run> {
  const filling = await operator.start({ ...NO_LIMITS, SHUTDOWN_DRAIN: '0' });
  const filled = await fillStore(filling);
  const keys = await addCustomer(filling);
  await filling.end('SIGTERM');
  const { roomy, full } = filled;
  const machines = [roomy, full].map(({ _id }) => ({ license: _id, count: MACHINES, ago: 60 }));
  await addMachines(env, machines);
  const service = await operator.start();
  const proxy = nginx === undefined ? undefined : await AppendingProxy.start(nginx, service.url);
  let loads = await loadsOf(service, filled);
  const isWhole = FORM === 'long' || engine === 'SQLite';
  const names = Object.keys(loads)
    // Floods behind nginx measure the machine in half a second.
    .filter((name) => !isBehindNginx(name) || (proxy && FORM === 'long'))
    .filter((name) => isWhole || REACHES_STORE.test(name));
  const stuck = isWhole ? await holdStuck(service.url, KEPT + MARGIN, STUCK) : undefined;
  const measured: Record<string, Measured> = {};
  for (const name of names) {
    await untilCalm(service);
    // An access token expires before the last load, but not in the short form.
    if (FORM === 'long') loads = await loadsOf(service, filled);
    const seconds = name.endsWith(CONNECTIONS) ? CONNECTION_SECONDS : SECONDS;
    const { url } = isBehindNginx(name) ? proxy! : service;
    measured[name] = await measure(
      { service: { url, pid: service.pid }, keys, seconds },
      loads[name]!,
    );
  }
  await proxy?.stop();
  return { loads: measured, stuck };
}
