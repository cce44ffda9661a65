import { setTimeout } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { Developer } from '../../e2e/developer.js';
import { type Arrived, MessageServer } from '../../e2e/webhooks/receiver.js';
import type { HttpCaller } from '../../http-caller.js';
import { Random } from '../../random.js';
import { ServiceClock } from '../clock/service-clock.js';
import type { Journal } from '../killed/writes.js';
import { Load, type Target } from '../killed/load.js';
import { PatientCaller } from '../patient-caller.js';
import { type Outcome, SEED, times } from '../prove.js';

/**
 * Milliseconds by which the last start sets the clock ahead. In the short form the leases of what was killed, 30 seconds, have
 * ended then; in the long form they end by themselves.
 */
const AHEAD = times({ short: 31_000, long: 0 });

/** The variables of the last start. */
export const CLOCK_AHEAD = new ServiceClock(1, AHEAD).env;

/** Longest time until everything has arrived, in milliseconds: a lease, an attempt that times out, and a pause of 5 s. */
const SETTLED = 90_000;
const SAMPLE_EVERY = 100;

/**
 * R13: a message of each acknowledged change arrives, and none of a change that did not happen.
 *
 * @param kills what is killed under load, one after the other; the last start is with {@link CLOCK_AHEAD}
 */
export async function noneLost(
  target: Pick<Target, 'service' | 'contradictions' | 'isProxied'>,
  kills: readonly (() => Promise<unknown>)[],
): Promise<Outcome> {
  const patient = new PatientCaller(target.service);
  const random = new Random(SEED);
  const receiver = new MessageReceiver();
  await receiver.start();
  const failures: string[] = [];
  const watched: Watched[] = [];
  let acknowledged = 0;
  try {
    for (const [index, kill] of kills.entries()) {
      const ends = new Map<string, Awaited<ReturnType<typeof watchAccount>>>();
      const prepare = async (user: Developer) =>
        ends.set(user._id, await watchAccount(patient, receiver, user));
      const load = await Load.during(
        `kill ${index + 1}`,
        { ...target, breaksConnections: true, prepare },
        random,
        kill,
      );
      acknowledged += load.acknowledged;
      failures.push(...load.failures);
      const ended = load.journals.map((journal) => ends.get(journal.user._id)!(journal));
      watched.push(...(await Promise.all(ended)).flat());
    }
    const begun = performance.now();
    const isOver = () => performance.now() - begun > SETTLED;
    while (watched.some((one) => missing(one).length > 0) && !isOver()) {
      await setTimeout(SAMPLE_EVERY);
    }
    const settled = Math.round((performance.now() - begun) / 100) / 10;
    failures.push(...receiver.failures, ...watched.flatMap(differences));
    return {
      figures: {
        kills: kills.length,
        acknowledged,
        messages: watched.flatMap(({ expected }) => expected).length,
        'rejected once': receiver.rejected,
        'accepted more than once': watched.flatMap(repeated).length,
        'seconds until all had arrived': settled,
        'lost or invented': failures.length,
      },
      failures,
    };
  } finally {
    receiver.stop();
  }
}

/** The webhooks of each account by the types of their events: one for all, one for those of licenses. */
const PREFIXES = ['', 'license.'];

interface LoggedEvent {
  readonly _id: string;
  readonly type: string;
}

/** A webhook: what has arrived, and what must arrive by the event log and by what was acknowledged to its account. */
interface Watched {
  readonly name: string;
  readonly mailbox: Mailbox;
  readonly expected: readonly LoggedEvent[];
  readonly log: ReadonlyMap<string, string>;
  /** Acknowledged changes, each as the type of its event and the id of its subject. */
  readonly acknowledged: readonly string[];
}

/** Creates the webhooks of an account, which are watched until all that its journal has is acknowledged. */
async function watchAccount(
  service: HttpCaller,
  receiver: MessageReceiver,
  user: Developer,
): Promise<(journal: Journal) => Promise<Watched[]>> {
  const readLog = () => service.readPages<LoggedEvent>('/events?limit=100', user);
  const mailboxes: Mailbox[] = [];
  for (const prefix of PREFIXES) {
    const path = `/${user._id}/${mailboxes.length}`;
    const fields = { url: receiver.url + path, types: [`${prefix}*`] };
    const { body } = await service.post('/webhooks', fields, user);
    mailboxes.push(receiver.mailbox(path, body.secret));
  }
  /** The events of the time before the webhooks. */
  const earlier = new Set((await readLog()).map(({ _id }) => _id));
  return async (journal) => {
    const events = await readLog();
    const log = new Map(events.map((event) => [event._id, JSON.stringify(event)]));
    const acknowledged = [
      ...[...journal.clients].map((id) => `client.created ${id}`),
      ...[...journal.projects].map((id) => `project.created ${id}`),
      ...[...journal.licenses].flatMap(([id, { events }]) => events.map((type) => `${type} ${id}`)),
    ];
    return mailboxes.map((mailbox, index) => ({
      ...{ name: `webhook ${index} of ${user._id}`, mailbox, log },
      expected: events.filter(
        ({ _id, type }) => type.startsWith(PREFIXES[index]!) && !earlier.has(_id),
      ),
      acknowledged: acknowledged.filter((change) => change.startsWith(PREFIXES[index]!)),
    }));
  };
}

/** What must still arrive. */
const missing = ({ expected, mailbox }: Watched) =>
  expected.filter(({ _id }) => !mailbox.get(_id)?.accepted);

/** The messages that were accepted more than once. */
const repeated = ({ mailbox }: Watched) =>
  [...mailbox.values()].filter(({ accepted }) => accepted > 1);

/** What was lost, and what was invented. */
function differences(watched: Watched): string[] {
  const { name, mailbox, log, acknowledged } = watched;
  const accepted = [...mailbox.values()].filter((one) => one.accepted > 0);
  const changes = new Set(accepted.map(({ type, data }) => `${type} ${data.subject.id}`));
  return [
    ...missing(watched).map(({ _id, type }) => `${type} ${_id} lost`),
    ...acknowledged
      .filter((change) => !changes.has(change))
      .map((change) => `${change} was acknowledged, and lost`),
    ...[...mailbox]
      // The log has the events without the licenses.
      .map(([id, { data }]) => [JSON.stringify({ ...data, license: undefined }), log.get(id)])
      .filter(([event, logged]) => event !== logged)
      .map(([event, logged]) => `${event}, while the log has ${logged}`),
  ].map((text) => `${name}: ${text}`);
}

/** Longest time until a response, in milliseconds: a process is killed between a response and its outcome. */
const LONGEST_RESPONSE = 40;
/** The receiver rejects one message in this many, at the first attempt. */
const REJECTED = 10;

interface Message {
  readonly type: string;
  readonly data: { readonly _id: string; readonly subject: { readonly id: string } };
}

/** A message as it arrived, at one attempt or at several. */
interface Received extends Message {
  readonly body: string;
  /** How often it was accepted. */
  accepted: number;
}

/** What one webhook has got, by the id of the message. */
type Mailbox = ReadonlyMap<string, Received>;

/** Receives the messages of webhooks, each on a path of its own, verifies them, and rejects some of them once. */
class MessageReceiver extends MessageServer {
  /** What a receiver must never get. */
  readonly failures: string[] = [];
  rejected = 0;
  private readonly webhooks = new Map<string, [Webhook, Map<string, Received>]>();
  private readonly random = new Random(SEED);

  constructor() {
    super(async (message, response) => response.writeHead(await this.statusFor(message)).end());
  }

  /** The messages that arrive on a path from now on. */
  mailbox(path: string, secret: string): Mailbox {
    const mailbox = new Map<string, Received>();
    this.webhooks.set(path, [new Webhook(secret), mailbox]);
    return mailbox;
  }

  private async statusFor({ id, body, headers, path }: Arrived): Promise<number> {
    const fail = (text: string) => this.failures.push(`${id} at ${path} ${text}`);
    const [webhook, mailbox] = this.webhooks.get(path) ?? [];
    if (!webhook || !mailbox) {
      fail('is for a path that no webhook has');
      return 404;
    }
    try {
      webhook.verify(body, headers);
    } catch (error) {
      fail(`is not verified: ${String(error)}`);
      return 400;
    }
    const isNew = !mailbox.has(id);
    const message = JSON.parse(body) as Message;
    const received = mailbox.get(id) ?? { ...message, body, accepted: 0 };
    mailbox.set(id, received);
    if (received.body !== body) fail('was repeated with other bytes');
    if (message.data._id !== id) fail(`has the event ${message.data._id}`);
    await setTimeout(this.random.next() * LONGEST_RESPONSE);
    if (isNew && this.random.next() * REJECTED < 1) {
      this.rejected += 1;
      return 503;
    }
    received.accepted += 1;
    return 204;
  }
}
