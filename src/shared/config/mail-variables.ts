import { isEmail } from 'class-validator';
import { EnvError, makeExactValidator } from 'envalid';
import ipaddr from 'ipaddr.js';
import { StartupError } from '../errors/startup-error.js';

/** The SMTP server that accepts the mail. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** Whether the connection starts with TLS instead of STARTTLS. */
  readonly isTls: boolean;
  readonly login: { readonly user: string; readonly password: string } | null;
}

/** An address with the name that mail programs show, which may be empty. */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** Whether the host name in a URL is this machine. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

const reject = (takes: string): never => {
  throw new EnvError(`must be ${takes}`);
};

/** The origin of an address without a path: https, or http on this machine. */
const origin = (path: string) =>
  makeExactValidator((raw) => {
    const url = parse(raw);
    const isOrigin =
      url !== undefined && [url.origin, `${url.origin}/`].includes(raw.toLowerCase());
    const isSafe =
      url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
    if (isOrigin && isSafe) return url.origin;
    return reject(`an address such as https://licenses.example.com, or http on localhost, ${path}`);
  });

export const publicUrl = origin('without a path, which is BASE_PATH');
export const portalUrl = origin('without a path');

const parse = (raw: string) => (URL.canParse(raw) ? new URL(raw) : undefined);

const SMTP_TAKES =
  'smtps://user:password@host:465 or smtp://user:password@host:587, with user and password percent-encoded';

export const smtpUrl = makeExactValidator<SmtpServer>((raw) => {
  const url = parse(raw);
  const isTls = url?.protocol === 'smtps:';
  if (!url?.hostname || !/^smtps?:\/\/[^/?#]+\/?$/i.test(raw)) return reject(SMTP_TAKES);
  const [user, password] = [decode(url.username), decode(url.password)];
  if ((user === '') !== (password === '')) return reject(SMTP_TAKES);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isTls ? 465 : 587) : Number(url.port),
    isTls,
    login: user === '' ? null : { user, password },
  };
});

function decode(text: string): string {
  try {
    const decoded = decodeURIComponent(text);
    // RFC 4616: the credentials are sent as texts separated by NUL.
    return /\p{Cc}/u.test(decoded) ? reject(SMTP_TAKES) : decoded;
  } catch {
    return reject(SMTP_TAKES);
  }
}

/** `Name <address>`, or an address alone. Read as a single mailbox, never as a list. */
export const mailbox = makeExactValidator<Mailbox>((raw) => {
  const [, quoted, plain, inBrackets] =
    /^(?:"([^"<>\\]*)"|([^"<>\\]*?))\s*<([^<>\s]+)>$/.exec(raw.trim()) ?? [];
  const address = inBrackets ?? raw.trim();
  const name = quoted ?? plain ?? '';
  if (isEmail(address) && !address.startsWith('"') && !/\p{Cc}|\p{Cf}/u.test(raw)) {
    return { name, address };
  }
  return reject('an address such as Acme Licenses <licenses@example.com>');
});

interface MailVariables {
  readonly PUBLIC_URL?: string | undefined;
  readonly SMTP_URL?: SmtpServer | undefined;
  readonly SMTP_PLAINTEXT: boolean;
  readonly MAIL_FROM?: Mailbox | undefined;
}

/** @throws StartupError if the mail variables contradict each other */
export function requireMailVariables(variables: MailVariables): void {
  const { SMTP_URL: server } = variables;
  if (!server) return;
  const missing = (['PUBLIC_URL', 'MAIL_FROM'] as const).filter((name) => !variables[name]);
  if (missing.length > 0) {
    throw new StartupError(`${missing.join(' and ')} must be set if SMTP_URL is set.`);
  }
  const isExposed = variables.SMTP_PLAINTEXT && !server.isTls && !isLoopback(server.host);
  if (isExposed && server.login) {
    throw new StartupError(
      'SMTP_URL must have no user and password if SMTP_PLAINTEXT is true, because they would be sent unencrypted.',
    );
  }
}
