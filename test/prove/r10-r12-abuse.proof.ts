import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Engine } from '../engines.js';
import { AppendingProxy } from '../nginx/appending-proxy.js';
import { nginx } from '../nginx/nginx.js';
import { NO_LIMITS } from '../no-limits.js';
import type { Operator } from '../smoke/operator.js';
import { fillStore, MACHINES } from './abuse/fill-store.js';
import { loadsOf, MAX_CONNECTIONS, neighborOf, PROXY_NETWORK, STUCK } from './abuse/loads.js';
import {
  addCustomer,
  boundsOutcome,
  checksOutcome,
  CONNECTIONS,
  KEPT,
  measure,
  type Measured,
  type Run,
} from './abuse/measure.js';
import { holdStuck } from './abuse/stuck-callers.js';
import { addMachines } from './many-machines/add-machines.js';
import { FORM, prove, SOME_ENGINES, times } from './prove.js';
import { withOperator } from './processes.js';

const SECONDS = times({ short: 0.5, long: 60 });
/** For too many connections, because opening them takes 0.6 seconds. */
const CONNECTION_SECONDS = times({ short: 1, long: 60 });

/** A connection kept for too long is closed after this many seconds. */
const MARGIN = 10;

/** Pause before a load, in milliseconds. */
const PAUSE = 3_000;

const isBehindNginx = (name: string) => name.startsWith('nginx-');

/** Limits and quotas are on, except those that would stop the creations: 1,000 a minute, 50,000 in all. */
const ENV = {
  ...{ WRITE_LIMIT: '0', PROJECT_QUOTA: '0', LICENSE_QUOTA: '0' },
  TRUSTED_PROXIES: `127.0.0.1,127.${PROXY_NETWORK}.0.0/16`,
  MAX_CONNECTIONS: String(MAX_CONNECTIONS),
  NODE_OPTIONS: `--import=${path.resolve('test/prove/abuse/hanging-names.mjs')}`,
};

// One run proves both: R10 is the effect of each load on the customer, R12 its effect on the service.
const runs: Partial<Record<Engine, Promise<Run>>> = {};
const run = (engine: Engine) =>
  (runs[engine] ??= withOperator(engine, ENV, runLoads, 'service.log'));

prove('R10', SOME_ENGINES, async (engine) => checksOutcome(await run(engine)));
prove('R12', SOME_ENGINES, async (engine) => boundsOutcome(await run(engine)));

async function runLoads(operator: Operator, env: NodeJS.ProcessEnv): Promise<Run> {
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
  let neighbor = await neighborOf(service, filled);
  // Half a second, as in the short form, says nothing about floods behind nginx.
  const names = Object.keys(loads).filter(
    (name) => !isBehindNginx(name) || (proxy && FORM === 'long'),
  );
  const holding = holdStuck(service.url, KEPT + MARGIN, STUCK);
  const measured: Record<string, Measured> = {};
  for (const name of names) {
    if (FORM === 'long') {
      // Waits until the previous load has no effect. Access tokens would expire before the last load.
      await setTimeout(PAUSE);
      loads = await loadsOf(service, filled);
      neighbor = await neighborOf(service, filled);
    }
    const seconds = name.endsWith(CONNECTIONS) ? CONNECTION_SECONDS : SECONDS;
    const { url } = isBehindNginx(name) ? proxy! : service;
    measured[name] = await measure(
      { service: { url, pid: service.pid }, keys, seconds },
      loads[name]!,
      neighbor,
    );
  }
  const stuck = await holding;
  await proxy?.stop();
  return { loads: measured, stuck };
}
