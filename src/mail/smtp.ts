import { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Config } from '../shared/config/config.js';
import { isLoopback, type SmtpServer } from '../shared/config/mail-variables.js';
import { isAscii } from './address.js';
import type { Content } from './render.js';

/**
 * How an attempt ended. `error` is a fixed word with the codes of the server's reply; `reply` is the
 * server's text, for the operator.
 */
export type Outcome =
  | { readonly kind: 'sent'; readonly reply: string }
  /** The server will never accept this mail. */
  | { readonly kind: 'rejected'; readonly error: string; readonly reply: string }
  /** The mail may be sent later. */
  | { readonly kind: 'deferred'; readonly error: string; readonly reply: string }
  /** The server accepts no mail at the moment. */
  | { readonly kind: 'unavailable'; readonly error: string; readonly reply: string };

/** A mail in the form in which it is sent. */
export interface Message extends Content {
  readonly _id: string;
  readonly to: string;
  readonly createdAt: Date;
}

type MailConfig = Pick<Config, 'publicUrl' | 'mailFrom' | 'smtpUrl' | 'smtpPlaintext'>;

const SECOND = 1000;

/**
 * The options of a connection. A connection to another machine uses TLS with a verified certificate before
 * it sends any credentials, unless the operator allows a relay without TLS.
 */
export function connectionOptions(
  server: SmtpServer,
  { publicUrl, smtpPlaintext }: Pick<MailConfig, 'publicUrl' | 'smtpPlaintext'>,
): SMTPConnection.Options {
  const { host, port, isTls } = server;
  const isPlain = !isTls && (smtpPlaintext || isLoopback(host));
  return {
    ...{ host, port, secure: isTls, requireTLS: !isTls && !isPlain, ignoreTLS: isPlain },
    name: new URL(publicUrl!).hostname,
    connectionTimeout: 15 * SECOND,
    greetingTimeout: 15 * SECOND,
    socketTimeout: 30 * SECOND,
    tls: { minVersion: 'TLSv1.2' },
  };
}

/** The bytes of a mail. Its id never changes, so servers and readers recognize a repeated mail. */
export function messageBytes(
  { publicUrl, mailFrom }: MailConfig,
  message: Message,
): Promise<Buffer> {
  const { _id, to, subject, text, html, replyTo, createdAt } = message;
  const composer = new MailComposer({
    from: mailFrom!,
    to: { name: '', address: to },
    ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
    ...{ subject, text, html },
    messageId: `<${_id}@${new URL(publicUrl!).hostname}>`,
    date: createdAt,
    headers: { 'Auto-Submitted': 'auto-generated' },
    textEncoding: 'quoted-printable',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** Sends one mail over its own connection. Aborting closes the connection. */
export async function sendMail(
  config: MailConfig,
  message: Message,
  signal: AbortSignal,
  options = connectionOptions(config.smtpUrl!, config),
): Promise<Outcome> {
  const bytes = await messageBytes(config, message);
  const connection = new SMTPConnection(options);
  const { login } = config.smtpUrl!;
  // The body is read once the server has accepted the envelope.
  let isBodySent = false;
  const body = Readable.from(
    (function* () {
      isBodySent = true;
      yield bytes;
    })(),
  );
  const aborted = new Promise<never>((_resolve, reject) => {
    const abort = () => reject(Object.assign(new Error('aborted'), { code: 'ETIMEDOUT' }));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    // After the connection is established, errors arrive as events.
    connection.on('error', reject);
  });
  const step = <T>(start: (done: (error?: Error | null, result?: T) => void) => void) =>
    Promise.race([
      aborted,
      new Promise<T>((resolve, reject) =>
        start((error, result) => (error ? reject(error) : resolve(result as T))),
      ),
    ]);
  try {
    await step((done) => connection.connect(done));
    // The reply to EHLO.
    const takesUtf8 = /^250[ -]SMTPUTF8\b/im.test(connection.lastServerResponse || '');
    if (login) {
      const credentials = { user: login.user, pass: login.password };
      await step((done) => connection.login({ credentials }, done));
    }
    if (!isAscii(message.to) && !takesUtf8) {
      return { kind: 'rejected', error: 'smtputf8_unsupported', reply: '' };
    }
    const envelope = { from: config.mailFrom!.address, to: message.to, size: bytes.length };
    const { response } = await step<SMTPConnection.SentMessageInfo>((done) =>
      connection.send(envelope, body, done),
    );
    connection.quit();
    return { kind: 'sent', reply: response };
  } catch (error) {
    return outcomeOf(error as SMTPConnection.SMTPError, isBodySent);
  } finally {
    aborted.catch(() => undefined);
    connection.close();
  }
}

/** What a failure means for this mail, and for all mail. */
function outcomeOf(
  { code = '', command = '', response, responseCode, message }: SMTPConnection.SMTPError,
  isBodySent: boolean,
): Outcome {
  const failure = { error: errorOf(code, response, responseCode), reply: response ?? message };
  if (code === 'EMESSAGE' && responseCode === undefined)
    return { ...failure, kind: 'rejected', error: 'too_large' };
  const isOfMail = isBodySent || ['RCPT TO', 'DATA', 'API'].includes(command);
  if (!isOfMail) return { kind: 'unavailable', ...failure };
  const isFinal = responseCode !== undefined && responseCode >= 500;
  return { kind: isFinal ? 'rejected' : 'deferred', ...failure };
}

function errorOf(code: string, response = '', responseCode?: number): string {
  if (responseCode !== undefined) {
    const [, enhanced] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
    return ['rejected', responseCode, enhanced].filter(Boolean).join(' ');
  }
  if (code === 'ETIMEDOUT') return 'timeout';
  if (code === 'ETLS') return 'tls_failed';
  return code === 'EDNS' ? 'host_not_found' : 'connection_failed';
}
