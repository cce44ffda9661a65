import { setTimeout } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { Developer } from '../../e2e/developer.js';
import { type Arrived, MessageServer } from '../../e2e/webhooks/receiver.js';
import { Random } from '../../random.js';
import { ServiceClock } from '../clock/service-clock.js';
import type { Journal } from '../killed/writes.js';
import { Load, type Target } from '../killed/load.js';
import { PatientCaller } from '../patient-caller.js';
import { type Outcome, SEED, times } from '../prove.js';

/**
 * How far the last start sets the clock ahead, in milliseconds. In the short form, this expires the 30-second leases of killed
 * attempts; in the long form they expire on their own.
 */
const AHEAD = times({ short: 31_000, long: 0 });

/** The variables of the last start. */
export const CLOCK_AHEAD = new ServiceClock(1, AHEAD).env;

/** Maximum time until everything has arrived, in milliseconds: a lease, a timed-out attempt, and a pause of 5 s. */
const SETTLED = 90_000;
const SAMPLE_EVERY = 100;

/** Maximum response time, in milliseconds: a process is killed between a response and its outcome. */
const LONGEST_RESPONSE = 40;
/** The receiver rejects the first attempt of one message in this many. */
const REJECTED = 10;

/** Each account's webhooks by event types: one for all types, one for license types. */
const PREFIXES = ['', 'license.'];
/** Event types the load causes: it starts after the webhooks were created. */
const OF_LOAD = /^(client|project|license)\./;

/**
 * R13: a message arrives for each acknowledged change, and none for a change that did not happen.
 *
 * @param kills what to kill under load, one after the other; the last start uses {@link CLOCK_AHEAD}
 */
export async function noneLost(
  target: Pick<Target, 'service' | 'contradictions' | 'isProxied'>,
  kills: readonly (() => Promise<unknown>)[],
): Promise<Outcome> {
  const patient = new PatientCaller(target.service);
  const random = new Random(SEED);
  const webhooks = new Map<string, WatchedWebhook>();
  const failures: string[] = [];
  const receiver = new MessageServer((message, response) => {
    const webhook = webhooks.get(message.path);
    if (!webhook) failures.push(`${message.id} is for ${message.path}, which is no webhook`);
    const status = webhook?.receive(message) ?? Promise.resolve(404);
    void status.then((code) => response.writeHead(code).end());
  });
  await receiver.start();
  const prepare = async (user: Developer) => {
    for (const prefix of PREFIXES) {
      const path = `/${user._id}/${prefix}`;
      const fields = { url: receiver.url + path, types: [`${prefix}*`] };
      const { body } = await patient.post('/webhooks', fields, user);
      webhooks.set(path, new WatchedWebhook(user, prefix, new Webhook(body.secret), random));
    }
  };
  const webhooksOf = (user: Developer) => [...webhooks.values()].filter((one) => one.user === user);
  let acknowledged = 0;
  try {
    for (const [index, kill] of kills.entries()) {
      const watched = { ...target, breaksConnections: true, prepare };
      const load = await Load.during(`kill ${index + 1}`, watched, random, kill);
      acknowledged += load.acknowledged;
      failures.push(...load.failures);
      for (const journal of load.journals) {
        const log = await patient.readPages<LoggedEvent>('/events?limit=100', journal.user);
        for (const webhook of webhooksOf(journal.user)) webhook.expect(log, journal);
      }
    }
    const all = [...webhooks.values()];
    const begun = performance.now();
    while (all.some(({ missing }) => missing.length > 0) && performance.now() < begun + SETTLED) {
      await setTimeout(SAMPLE_EVERY);
    }
    const settled = Math.round((performance.now() - begun) / 100) / 10;
    failures.push(...all.flatMap((webhook) => webhook.differences()));
    const messages = all.flatMap(({ received }) => [...received.values()]);
    return {
      figures: {
        kills: kills.length,
        acknowledged,
        messages: all.flatMap(({ expected }) => expected).length,
        'rejected once': messages.filter(({ isRejected }) => isRejected).length,
        'accepted more than once': messages.filter(({ accepted }) => accepted > 1).length,
        'seconds until all had arrived': settled,
        'lost or invented': failures.length,
      },
      failures,
    };
  } finally {
    receiver.stop();
  }
}

interface LoggedEvent {
  readonly _id: string;
  readonly type: string;
}

/** A message as it arrived, at one or several attempts. */
interface Received {
  readonly type: string;
  readonly data: { readonly _id: string; readonly subject: { readonly id: string } };
  readonly body: string;
  /** Whether the receiver rejects its first attempt. */
  readonly isRejected: boolean;
  attempts: number;
  /** How often it was accepted. */
  accepted: number;
}

/** A webhook, with the messages that have arrived, and those that must arrive according to the event log and the acknowledged changes. */
class WatchedWebhook {
  /** By message id. */
  readonly received = new Map<string, Received>();
  expected: readonly LoggedEvent[] = [];
  private readonly failures: string[] = [];
  /** Each event of the log as a text. */
  private log: ReadonlyMap<string, string> = new Map();
  /** Acknowledged changes, as event type and subject id. */
  private acknowledged: readonly string[] = [];

  constructor(
    readonly user: Developer,
    private readonly prefix: string,
    private readonly webhook: Webhook,
    private readonly random: Random,
  ) {}

  /** Verifies a message, and rejects some of them once. @returns the status of the response */
  async receive({ id, body, headers }: Arrived): Promise<number> {
    try {
      this.webhook.verify(body, headers);
    } catch (error) {
      this.failures.push(`${id} is not verified: ${String(error)}`);
      return 400;
    }
    const isRejected = this.random.next() * REJECTED < 1;
    const message = JSON.parse(body) as Pick<Received, 'type' | 'data'>;
    const first = { ...message, body, isRejected, attempts: 0, accepted: 0 };
    const received = this.received.get(id) ?? first;
    this.received.set(id, received);
    received.attempts += 1;
    const rejects = received.isRejected && received.attempts === 1;
    if (received.body !== body) this.failures.push(`${id} was repeated with other bytes`);
    if (message.data._id !== id) this.failures.push(`${id} has the event ${message.data._id}`);
    await setTimeout(this.random.next() * LONGEST_RESPONSE);
    if (rejects) return 503;
    received.accepted += 1;
    return 204;
  }

  /** Expects the load's events in the log, and everything acknowledged. */
  expect(log: readonly LoggedEvent[], { clients, projects, licenses }: Journal): void {
    const isOfIt = (type: string) => type.startsWith(this.prefix);
    this.log = new Map(log.map((event) => [event._id, JSON.stringify(event)]));
    this.expected = log.filter(({ type }) => isOfIt(type) && OF_LOAD.test(type));
    this.acknowledged = [
      ...[...clients].map((id) => `client.created ${id}`),
      ...[...projects].map((id) => `project.created ${id}`),
      ...[...licenses].flatMap(([id, { events }]) => events.map((type) => `${type} ${id}`)),
    ].filter(isOfIt);
  }

  /** The messages that have yet to arrive. */
  get missing(): readonly LoggedEvent[] {
    return this.expected.filter(({ _id }) => !this.received.get(_id)?.accepted);
  }

  /** The messages that were lost or invented. */
  differences(): string[] {
    const accepted = [...this.received.values()].filter((one) => one.accepted > 0);
    const changes = new Set(accepted.map(({ type, data }) => `${type} ${data.subject.id}`));
    return [
      ...this.failures,
      ...this.missing.map(({ _id, type }) => `${type} ${_id} lost`),
      ...this.acknowledged
        .filter((change) => !changes.has(change))
        .map((change) => `${change} was acknowledged, and lost`),
      ...[...this.received]
        // The log contains events without licenses.
        .map(([id, { data }]) => [
          JSON.stringify({ ...data, license: undefined }),
          this.log.get(id),
        ])
        .filter(([event, logged]) => event !== logged)
        .map(([event, logged]) => `${event}, while the log has ${logged}`),
    ].map((text) => `webhook of ${this.prefix}* of ${this.user._id}: ${text}`);
  }
}
