import type http from 'node:http';
import { Readable } from 'node:stream';
import { setInterval } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import { newEvent } from '../../src/events/event.js';
import { newObjectId } from '../../src/shared/ids.js';
import { insert } from '../../src/storage/changes.js';
import { DELIVERIES, MESSAGES, newDelivery, newMessage } from '../../src/webhooks/delivery.js';
import { WEBHOOKS } from '../../src/webhooks/webhook.js';
import type { Developer } from '../e2e/developer.js';
import { MessageServer } from '../e2e/webhooks/receiver.js';
import type { HttpCaller } from '../http-caller.js';
import { NO_LIMITS } from '../no-limits.js';
import type { Operator } from '../smoke/operator.js';
import { withStore } from '../with-store.js';
import {
  addCustomer,
  whileCustomerValidates,
  customerFailures,
  MEMORY,
  shown,
} from './abuse/measure.js';
import { withOperator } from './processes.js';
import { type Outcome, prove, SOME_ENGINES, times } from './prove.js';

const SECONDS = times({ short: 3, long: 60 });
/** Deliveries of one webhook that are due from the start. */
const BACKLOG = times({ short: 5_000, long: 100_000 });
/** Maximum webhooks per account. */
const MAX_WEBHOOKS = 20;
/** Events of an account with receivers that never finish. */
const STUCK_EVENTS = 10;
/** Pause between two events of the others, in milliseconds. */
const PAUSE = 250;
/** How long an event of the neighbor is awaited, in milliseconds: less than a timed-out attempt. */
const LONGEST_WAIT = 12_000;
/** How long to wait until the receivers hold requests, in milliseconds. */
const BEGUN_WITHIN = 30_000;
/** Maximum requests of an account in progress, plus the same number that just timed out. */
const MAX_HANGING = 2 * 8;
/** Maximum time until an event of the neighbor has arrived, in milliseconds. */
const LONGEST = times({ short: 10_000, long: 2_000 });

const ENV = { ...NO_LIMITS, SHUTDOWN_DRAIN: '0', WEBHOOK_NETWORKS: '127.0.0.1' };

prove('R14', SOME_ENGINES, async (engine) => {
  const receivers = new HostileReceivers();
  await receivers.start();
  const use = withReceivers.bind(undefined, receivers);
  return withOperator(engine, ENV, use, 'service.log').finally(() => receivers.stop());
});

async function withReceivers(
  receivers: HostileReceivers,
  operator: Operator,
  env: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const first = await operator.start();
  const world = await createWorld(first, receivers);
  await first.end('SIGTERM');
  await addBacklog(env, world.late);
  const service = await operator.start();
  const job = { service, seconds: SECONDS, keys: world.keys };
  const measured = await whileCustomerValidates(job, async () => {
    await beginHolding(service, receivers, world);
    return timeNeighbor(service, receivers, world);
  });
  const { validations, megabytes, result: latencies } = measured;
  const { hanging, byteByByte, endless, ready } = receivers.seen;
  const left = BACKLOG - (ready.count - receivers.arrivals.size);
  const slowest = Math.round(Math.max(...latencies));
  return {
    figures: {
      ...{ 'events of the neighbor': latencies.length, 'slowest ms': slowest },
      validations: shown(validations),
      MB: megabytes,
      'hanging requests at once': hanging.most,
      ...{ 'byte by byte': byteByByte.count, 'without an end': endless.count },
      'left of the backlog': `${left} of ${BACKLOG}`,
    },
    failures: [
      ...customerFailures(measured),
      ...(slowest > LONGEST ? [`an event of the neighbor took ${slowest} ms`] : []),
      ...(megabytes > MEMORY ? [`${megabytes} MB`] : []),
      ...(hanging.most > MAX_HANGING ? [`${hanging.most} hanging requests at once`] : []),
      ...Object.entries(receivers.seen)
        .filter(([, { count }]) => count === 0)
        .map(([behavior]) => `no receiver was ${behavior}`),
      ...(left <= 0 ? ['the backlog ran out'] : []),
    ],
  };
}

type World = Awaited<ReturnType<typeof createWorld>>;

/** Creates the accounts with their webhooks, and the licenses of a customer. */
async function createWorld(service: HttpCaller, receivers: HostileReceivers) {
  const addWebhook = async (user: Developer, behavior: Behavior, name: string) => {
    const fields = { url: `${receivers.url}/${behavior}/${name}`, types: ['client.created'] };
    return (await service.post('/webhooks', fields, user)).body.webhook._id as string;
  };
  const keys = await addCustomer(service);
  const [hanging, byteByByte] = [await service.register(), await service.register()];
  const [endless, neighbor] = [await service.register(), await service.register()];
  const [late] = await Promise.all([
    addWebhook(await service.register(), 'ready', 'late'),
    addWebhook(byteByByte, 'byteByByte', 'one'),
    addWebhook(endless, 'endless', 'one'),
    addWebhook(neighbor, 'ready', 'neighbor'),
  ]);
  for (let i = 0; i < MAX_WEBHOOKS; i++) await addWebhook(hanging, 'hanging', `${i}`);
  return { hanging, byteByByte, endless, neighbor, late, keys };
}

/** Gives the hostile receivers their first messages, and waits until they hold requests. */
async function beginHolding(
  service: HttpCaller,
  { seen }: HostileReceivers,
  { hanging, byteByByte }: World,
): Promise<void> {
  for (let i = 0; i < STUCK_EVENTS; i++) {
    await Promise.all([hanging, byteByByte].map((user) => service.createClient(user)));
  }
  const end = performance.now() + BEGUN_WITHIN;
  const areHeld = () => seen.hanging.open > 0 && seen.byteByByte.open > 0 && seen.ready.count > 0;
  while (!areHeld() && performance.now() < end) await setTimeout(20);
}

/**
 * Triggers events of the neighbor, and of the account whose receiver sends endlessly, for some seconds.
 *
 * @returns the milliseconds from each request of the neighbor until its event arrived; Infinity if it was too late
 */
async function timeNeighbor(
  service: HttpCaller,
  { arrivals }: HostileReceivers,
  { neighbor, endless }: World,
): Promise<number[]> {
  const sent = new Map<string, number>();
  const end = performance.now() + SECONDS * 1000;
  while (performance.now() < end) {
    const begun = performance.now();
    const users = [neighbor, endless];
    const [client] = await Promise.all(users.map((user) => service.createClient(user)));
    sent.set(client!._id, begun);
    await setTimeout(PAUSE);
  }
  const isLate = () => performance.now() > end + LONGEST_WAIT;
  const haveAll = () => [...sent.keys()].every((id) => arrivals.has(id));
  while (!haveAll() && !isLate()) await setTimeout(20);
  return [...sent].map(([id, begun]) => (arrivals.get(id) ?? Infinity) - begun);
}

/** Pause between two bytes of a response, in milliseconds; all bytes take longer than an attempt. */
const BYTE_EVERY = 500;
const CHUNK = Buffer.alloc(16 * 1024, 'x');

const BEHAVIORS = {
  hanging: () => undefined,
  byteByByte: ({ socket }: http.ServerResponse) => {
    const bytes = [...'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n'];
    const timer = setInterval(() => socket?.write(bytes.shift() ?? 'x'), BYTE_EVERY);
    socket?.on('close', () => clearInterval(timer));
  },
  endless: (response: http.ServerResponse) => {
    const body = Readable.from(withoutEnd());
    body.pipe(response.writeHead(200)).on('close', () => body.destroy());
  },
  ready: (response: http.ServerResponse) => response.writeHead(204).end(),
} satisfies Record<string, (response: http.ServerResponse) => unknown>;

type Behavior = keyof typeof BEHAVIORS;

/** Webhook receivers that keep their sender busy, and one that responds immediately. Names distinguish receivers of a kind. */
class HostileReceivers extends MessageServer {
  /** The requests of each kind, and the maximum concurrency. */
  readonly seen = { hanging: none(), byteByByte: none(), endless: none(), ready: none() };
  /** When each subject's event arrived at `/ready/neighbor`. */
  readonly arrivals = new Map<string, number>();

  constructor() {
    super(({ path, body }, response) => {
      const behavior = path.split('/')[1] as Behavior;
      const seen = this.seen[behavior];
      seen.count += 1;
      seen.open += 1;
      seen.most = Math.max(seen.most, seen.open);
      response.on('close', () => (seen.open -= 1)).on('error', () => undefined);
      if (path === '/ready/neighbor') {
        const { data } = JSON.parse(body) as { data: { subject: { id: string } } };
        this.arrivals.set(data.subject.id, performance.now());
      }
      BEHAVIORS[behavior](response);
    });
  }
}

const none = () => ({ count: 0, open: 0, most: 0 });

function* withoutEnd(): Generator<Buffer> {
  for (;;) yield CHUNK;
}

/** Deliveries stored per commit. */
const BATCH_SIZE = 500;
const BODY = JSON.stringify({ type: 'client.created', data: 'x'.repeat(1_500) });

/** Stores due deliveries of a webhook, with their messages. */
function addBacklog(env: NodeJS.ProcessEnv, webhookId: string) {
  return withStore(env, async (store) => {
    const webhook = (await store.find(WEBHOOKS, { _id: webhookId }))!;
    const now = new Date();
    const subject = { accountId: webhook.accountId, _id: newObjectId(), name: 'Acme Ltd' };
    const due = () => {
      const event = newEvent('client.created', subject, now);
      return [
        insert(MESSAGES, newMessage(event, BODY)),
        insert(DELIVERIES, newDelivery(webhook, event, now)),
      ];
    };
    for (let left = BACKLOG; left > 0; left -= BATCH_SIZE) {
      await store.commit(Array.from({ length: Math.min(left, BATCH_SIZE) }, due).flat());
    }
  });
}
