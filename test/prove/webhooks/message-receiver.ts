import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { Random } from '../../random.js';

/** Longest time until a response, in milliseconds: a process is killed between a response and its outcome. */
const LONGEST_RESPONSE = 40;
/** The receiver rejects one message in this many, at the first attempt. */
const REJECTED = 10;

/** A message as it arrived, at one attempt or at several. */
export interface Arrived {
  readonly type: string;
  readonly subject: string;
  /** The event as JSON, without the license. */
  readonly event: string;
  /** Of the bytes of the body. */
  readonly digest: string;
  /** How often it was accepted. */
  accepted: number;
}

interface Message {
  readonly type: string;
  readonly data: {
    readonly _id: string;
    readonly subject: { readonly id: string };
    readonly license?: object;
  };
}

/** What one webhook has got, by the id of the message. */
export type Mailbox = ReadonlyMap<string, Arrived>;

/** Receives the messages of webhooks, each on a path of its own, verifies them, and rejects some of them once. */
export class MessageReceiver {
  /** What a receiver must never get. */
  readonly failures: string[] = [];
  rejected = 0;
  private readonly webhooks = new Map<
    string,
    { readonly verifier: Webhook; readonly arrived: Map<string, Arrived> }
  >();
  private readonly random: Random;
  private readonly server = http.createServer((request, response) => {
    this.receive(request).then(
      (status) => response.writeHead(status).end(),
      // The sender was killed amid its request.
      () => response.destroy(),
    );
  });

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** The URL of a webhook with this path. */
  urlOf(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** The messages that arrive on a path from now on. */
  mailbox(path: string, secret: string): Mailbox {
    const arrived = new Map<string, Arrived>();
    this.webhooks.set(path, { verifier: new Webhook(secret), arrived });
    return arrived;
  }

  /** The status of the response. */
  private async receive(request: http.IncomingMessage): Promise<number> {
    const body = await text(request);
    const headers = request.headers as Record<string, string>;
    const id = String(headers['webhook-id']);
    const where = `${id} at ${request.url}`;
    const webhook = this.webhooks.get(String(request.url));
    if (!webhook) {
      this.failures.push(`${where}, which no webhook has`);
      return 404;
    }
    try {
      webhook.verifier.verify(body, headers);
    } catch (error) {
      this.failures.push(`${where}: ${String(error)}`);
      return 400;
    }
    const message = this.note(webhook.arrived, id, body, where);
    await setTimeout(this.random.next() * LONGEST_RESPONSE);
    if (message.isNew && this.random.next() * REJECTED < 1) {
      this.rejected += 1;
      return 503;
    }
    message.arrived.accepted += 1;
    return 204;
  }

  private note(mailbox: Map<string, Arrived>, id: string, body: string, where: string) {
    const digest = createHash('sha256').update(body).digest('base64');
    const before = mailbox.get(id);
    if (before) {
      if (before.digest !== digest) this.failures.push(`${where} was repeated with other bytes`);
      return { arrived: before, isNew: false };
    }
    const { type, data } = JSON.parse(body) as Message;
    if (data._id !== id) this.failures.push(`${where} has the event ${data._id}`);
    const event = JSON.stringify({ ...data, license: undefined });
    const arrived = { type, subject: data.subject.id, event, digest, accepted: 0 };
    mailbox.set(id, arrived);
    return { arrived, isNew: true };
  }
}
