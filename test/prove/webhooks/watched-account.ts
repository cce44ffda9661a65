import type { Developer } from '../../e2e/developer.js';
import { readPages } from '../../e2e/pages.js';
import type { HttpCaller } from '../../http-caller.js';
import type { Journal } from '../killed/journal.js';
import type { Mailbox, MessageReceiver } from './message-receiver.js';

/** The webhooks of each account: one for all events, one for those of licenses. */
const TYPES = ['*', 'license.*'];

interface LoggedEvent {
  readonly _id: string;
  readonly type: string;
}

/** An account with webhooks: what it did, what its event log says of that, and what has arrived. */
export class WatchedAccount {
  private log: readonly LoggedEvent[] = [];
  /** Acknowledged changes, each as the type of its event and the id of its subject. */
  private acknowledged: readonly string[] = [];

  private constructor(
    private readonly service: HttpCaller,
    readonly user: Developer,
    private readonly mailboxes: readonly Mailbox[],
    /** The events of the time before the webhooks. */
    private readonly earlier: ReadonlySet<string>,
  ) {}

  /** Creates the webhooks of an account. */
  static async begin(
    service: HttpCaller,
    receiver: MessageReceiver,
    user: Developer,
  ): Promise<WatchedAccount> {
    const mailboxes: Mailbox[] = [];
    for (const type of TYPES) {
      const path = `/${user._id}/${mailboxes.length}`;
      const fields = { url: receiver.urlOf(path), types: [type] };
      const { body } = await service.post('/webhooks', fields, user);
      mailboxes.push(receiver.mailbox(path, body.secret));
    }
    const events = await readLog(service, user);
    const earlier = new Set(events.map(({ _id }) => _id));
    return new WatchedAccount(service, user, mailboxes, earlier);
  }

  /** Reads the log once everything is acknowledged. */
  async end(journal: Journal): Promise<void> {
    this.log = await readLog(this.service, this.user);
    this.acknowledged = [
      ...[...journal.clients].map((id) => `client.created ${id}`),
      ...[...journal.projects.keys()].map((id) => `project.created ${id}`),
      ...[...journal.licenses].flatMap(([id, { events }]) => events.map((type) => `${type} ${id}`)),
    ];
  }

  /** The number of messages that must arrive. */
  get expected(): number {
    const of = this.mailboxes.map((_, index) =>
      this.log.filter((event) => this.gets(index, event)),
    );
    return of.flat().length;
  }

  /** The number of messages that were accepted more than once. */
  get repeated(): number {
    const arrived = this.mailboxes.flatMap((mailbox) => [...mailbox.values()]);
    return arrived.filter(({ accepted }) => accepted > 1).length;
  }

  get isComplete(): boolean {
    return this.mailboxes.every((mailbox, index) =>
      this.log.every((event) => !this.gets(index, event) || mailbox.get(event._id)?.accepted),
    );
  }

  /** What was lost, and what was invented. */
  differences(): string[] {
    return this.mailboxes.flatMap((mailbox, index) => {
      const name = `webhook ${index} of ${this.user._id}`;
      const logged = new Map(this.log.map((event) => [event._id, JSON.stringify(event)]));
      const arrived = [...mailbox].filter(([, { accepted }]) => accepted > 0);
      const changes = new Set(arrived.map(([, { type, subject }]) => `${type} ${subject}`));
      return [
        ...this.log
          .filter((event) => this.gets(index, event) && !mailbox.get(event._id)?.accepted)
          .map(({ _id, type }) => `${name}: ${type} ${_id} lost`),
        ...this.acknowledged
          .filter((change) => matches(index, change) && !changes.has(change))
          .map((change) => `${name}: ${change} was acknowledged, and lost`),
        ...[...mailbox]
          .filter(([id, { event }]) => logged.get(id) !== event)
          .map(([id, { event }]) => `${name}: ${event}, while the log has ${logged.get(id)}`),
      ];
    });
  }

  private gets(index: number, { _id, type }: LoggedEvent): boolean {
    return matches(index, type) && !this.earlier.has(_id);
  }
}

const matches = (index: number, type: string) => type.startsWith(TYPES[index]!.replace('*', ''));

const readLog = (service: HttpCaller, user: Developer) =>
  readPages<LoggedEvent>(service, '/events?limit=100', user);
