import { setTimeout } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { type Arrived, MessageServer } from '../../e2e/webhooks/receiver.js';
import { Random } from '../../random.js';
import { SEED } from '../prove.js';

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
export type Mailbox = ReadonlyMap<string, Received>;

/** Receives the messages of webhooks, each on a path of its own, verifies them, and rejects some of them once. */
export class MessageReceiver extends MessageServer {
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
