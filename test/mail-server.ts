import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** The variables of an application that can mail through a server on the loopback. By default nothing listens there. */
export const mailThrough = (port = 1) => ({
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  PUBLIC_URL: 'https://licenses.local',
  MAIL_FROM: 'Acme <licenses@acme.example>',
});

export const MAIL_ON = mailThrough();

/** A mail that the server has accepted: its envelope, its source and its parsed form. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly parsed: ParsedMail;
}

/** A real SMTP server on a free port of the loopback. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** Responds to a mail after its DATA; accepts it by default. */
  onMail: (mail: ReceivedMail) => Promise<void> | void = () => undefined;
  private readonly server: SMTPServer;

  constructor(options: SMTPServerOptions = {}) {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      closeTimeout: 1,
      ...options,
      onData: (stream, { envelope }, done) => {
        void (async () => {
          const chunks: Buffer[] = [];
          for await (const chunk of stream) chunks.push(chunk as Buffer);
          const raw = Buffer.concat(chunks).toString();
          const from = envelope.mailFrom ? envelope.mailFrom.address : '';
          const to = envelope.rcptTo.map(({ address }) => address);
          const mail = { from, to, raw, parsed: await simpleParser(raw) };
          await this.onMail(mail);
          this.received.push(mail);
        })().then(() => done(), done);
      },
    });
    this.server.on('error', () => undefined);
  }

  /** @returns the port */
  async start(): Promise<number> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return (this.server.server.address() as AddressInfo).port;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

/** An error with which the server replies. */
export const reply = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });
