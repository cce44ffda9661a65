import { EVERY_ENGINE } from '../engines.js';
import { NO_LIMITS } from '../no-limits.js';
import type { Operator } from '../smoke/operator.js';
import { besideCustomer } from './abuse/measure.js';
import { customerFailures, MEMORY, totalOf } from './abuse/outcomes.js';
import { type Outcome, prove, times } from './prove.js';
import { addBacklog } from './webhooks/backlog.js';
import { HostileReceivers } from './webhooks/hostile-receivers.js';
import { withOperator } from './with-service.js';
import { beginHolding, createWorld, timeNeighbour } from './webhooks/hostile-world.js';

const SECONDS = times({ short: 3, long: 60 });
/** Deliveries of one webhook that are due from the beginning. */
const BACKLOG = times({ short: 5_000, long: 100_000 });
/** Webhooks whose last attempt has failed. */
const WAITING = times({ short: 1_000, long: 5_000 });
/** The most requests of an account in progress, and as many that have just timed out. */
const MAX_HANGING = 2 * 8;
/** Longest time until an event of the neighbour has arrived, in milliseconds. */
const LONGEST = times({ short: 10_000, long: 2_000 });

const ENV = { ...NO_LIMITS, SHUTDOWN_DRAIN: '0', WEBHOOK_NETWORKS: '127.0.0.1' };

describe.each(EVERY_ENGINE)('%s', (engine) => {
  prove('R14', engine, async () => {
    const receivers = new HostileReceivers();
    await receivers.start();
    return withOperator(
      engine,
      ENV,
      (operator, env) => besideReceivers(receivers, operator, env),
      'service.log',
    ).finally(() => receivers.stop());
  });
});

async function besideReceivers(
  receivers: HostileReceivers,
  operator: Operator,
  env: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const first = await operator.start();
  const world = await createWorld(first, receivers);
  await first.end('SIGTERM');
  await addBacklog(env, world.late, { due: BACKLOG, waiting: WAITING });
  const service = await operator.start();
  const job = { service, seconds: SECONDS, keys: world.keys };
  const measured = await besideCustomer(job, async () => {
    await beginHolding(service, receivers, world);
    return timeNeighbour(service, receivers, world, SECONDS);
  });
  const { validations, megabytes, result: latencies } = measured;
  const { hanging, byteByByte, endless, ready } = receivers.seen;
  const left = BACKLOG - (ready.count - receivers.arrivals.size);
  const slowest = Math.round(Math.max(...latencies));
  const { sent, rejected, p99 } = validations;
  return {
    figures: {
      ...{ 'events of the neighbour': latencies.length, 'slowest ms': slowest },
      validations: `${totalOf(rejected)} of ${sent} rejected, p99 ${p99} ms`,
      MB: megabytes,
      'hanging requests at once': hanging.most,
      ...{ 'byte by byte': byteByByte.count, 'without an end': endless.count },
      'webhooks that wait': WAITING,
      'left of the backlog': `${left} of ${BACKLOG}`,
    },
    failures: [
      ...customerFailures(measured),
      ...(slowest > LONGEST ? [`an event of the neighbour took ${slowest} ms`] : []),
      ...(megabytes > MEMORY ? [`${megabytes} MB`] : []),
      ...(hanging.most > MAX_HANGING ? [`${hanging.most} hanging requests at once`] : []),
      ...(hanging.count === 0 ? ['no receiver was hanging'] : []),
      ...(byteByByte.count === 0 ? ['no receiver has sent byte by byte'] : []),
      ...(endless.count === 0 ? ['no receiver has sent without an end'] : []),
      ...(left <= 0 ? ['the backlog has come to its end'] : []),
    ],
  };
}
