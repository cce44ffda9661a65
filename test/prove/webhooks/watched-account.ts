import type { Developer } from '../../e2e/developer.js';
import { readPages } from '../../e2e/pages.js';
import type { HttpCaller } from '../../http-caller.js';
import type { Journal } from '../killed/journal.js';
import type { Mailbox, MessageReceiver } from './message-receiver.js';

/** The webhooks of each account by the types of their events: one for all, one for those of licenses. */
const PREFIXES = ['', 'license.'];

interface LoggedEvent {
  readonly _id: string;
  readonly type: string;
}

/** A webhook: what has arrived, and what must arrive by the event log and by what was acknowledged to its account. */
export interface Watched {
  readonly name: string;
  readonly mailbox: Mailbox;
  readonly expected: readonly LoggedEvent[];
  readonly log: ReadonlyMap<string, string>;
  /** Acknowledged changes, each as the type of its event and the id of its subject. */
  readonly acknowledged: readonly string[];
}

/** Creates the webhooks of an account, which are watched until all that its journal has is acknowledged. */
export async function watchAccount(
  service: HttpCaller,
  receiver: MessageReceiver,
  user: Developer,
): Promise<(journal: Journal) => Promise<Watched[]>> {
  const readLog = () => readPages<LoggedEvent>(service, '/events?limit=100', user);
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
export const missing = ({ expected, mailbox }: Watched) =>
  expected.filter(({ _id }) => !mailbox.get(_id)?.accepted);

/** The number of messages that were accepted more than once. */
export const repeated = ({ mailbox }: Watched) =>
  [...mailbox.values()].filter(({ accepted }) => accepted > 1).length;

/** What was lost, and what was invented. */
export function differences(watched: Watched): string[] {
  const { name, mailbox, log, acknowledged } = watched;
  const accepted = [...mailbox.values()].filter((one) => one.accepted > 0);
  const changes = new Set(accepted.map(({ type, subject }) => `${type} ${subject}`));
  return [
    ...missing(watched).map(({ _id, type }) => `${type} ${_id} lost`),
    ...acknowledged
      .filter((change) => !changes.has(change))
      .map((change) => `${change} was acknowledged, and lost`),
    ...[...mailbox]
      .filter(([id, { event }]) => log.get(id) !== event)
      .map(([id, { event }]) => `${event}, while the log has ${log.get(id)}`),
  ].map((text) => `${name}: ${text}`);
}
