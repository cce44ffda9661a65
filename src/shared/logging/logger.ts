import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config/config.js';
import fs from 'node:fs';
import type { Metrics } from '../../metrics/metrics.js';

/** Maximum length of a logged message or stack, in characters. */
const MAX_LENGTH = 8 * 1024;
/**
 * Shorter messages cannot contain a secret, because passwords have at least 12 characters. Skipping them
 * saves 1 µs per request.
 */
const SHORTEST_SECRET = 12;

/**
 * The log: one JSON object per line, without secrets.
 *
 * @param to defaults to stdout
 */
export function createLogger({ logLevel }: Pick<Config, 'logLevel'>, to?: DestinationStream) {
  const options = {
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // A safety net, because nothing logs a secret on purpose.
    formatters: { log: hideSecrets<Record<string, unknown>> },
    serializers: {
      err: toErrorRecord,
      // A failure that is not a bug in the program.
      cause: (thrown: unknown) => ({ ...toErrorRecord(thrown), stack: undefined }),
      // Fastify's default serializer would log the URL.
      req: ({ method }: { method: string }) => ({ method }),
      msg: (text: string) => (text.length < SHORTEST_SECRET ? text : maskSecrets(text)),
      stack: maskSecrets,
    },
  };
  return pino(options, to ?? batchedLines());
}

/** Routes Nest's messages to the log. Startup messages about modules and routes have the level debug. */
export function nestLogger(logger: Logger): LoggerService {
  const at = (level: 'trace' | 'debug' | 'warn') => (message: unknown, context?: string) =>
    logger[level]({ context }, String(message));
  const failedAt =
    (level: 'error' | 'fatal') => (message: unknown, stack?: string, context?: string) =>
      logger[level]({ context, stack }, String(message));
  return {
    log: at('debug'),
    debug: at('debug'),
    verbose: at('trace'),
    warn: at('warn'),
    error: failedAt('error'),
    fatal: failedAt('fatal'),
  };
}

/** The logged part of an error and its causes. Drivers attach records and commands to errors, so nothing else is logged. */
function toErrorRecord(thrown: unknown) {
  if (!isErrorLike(thrown)) return { type: typeof thrown, message: textOf(describe(thrown)) };
  const { type, message, stack, code } = pino.stdSerializers.err(thrown);
  return {
    type,
    message: textOf(message),
    ...(typeof code === 'string' && { code: textOf(code) }),
    ...(typeof code === 'number' && { code }),
    stack: textOf(stack),
  };
}

const isErrorLike = (thrown: unknown): thrown is Error =>
  typeof (thrown as Partial<Error> | null | undefined)?.message === 'string';

const describe = (thrown: unknown) =>
  typeof thrown === 'string' ? thrown : Object.prototype.toString.call(thrown);

const textOf = (text: string) => maskSecrets(text.slice(0, MAX_LENGTH));

const MASK = '[Redacted]';

const SECRET_FIELDS = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'idempotency-key',
  'key',
  'sealedKey',
  'fingerprint',
  'password',
  'currentPassword',
  'newPassword',
  'passwordHash',
  'refreshToken',
  'secret',
  'invitation',
  'challenge',
  'recoveryCode',
  'recoveryCodes',
  'accessToken',
  'jwtSecret',
  'licenseSecret',
  'licenseSecretPrevious',
  'mongodbUri',
  'smtpUrl',
  'token',
  'sealed',
]);
const DEPTH = 4;

/**
 * The last line of defense, because requests are logged without paths, queries and bodies
 * (`request-log.ts`), and errors without their fields (`logger.ts`).
 *
 * Redacts fields named like a secret, to a depth of four; returns the record itself if there are none. For
 * the flat record of a request, this takes a twentieth of the time of pino's own redaction.
 */
export function hideSecrets<T extends object>(record: T, depth = DEPTH): T {
  const copy: Record<string, unknown> = {};
  let hasSecret = false;
  for (const [name, value] of Object.entries(record) as [string, unknown][]) {
    copy[name] = SECRET_FIELDS.has(name) ? MASK : inside(value, depth - 1);
    hasSecret ||= copy[name] !== value;
  }
  return hasSecret ? (copy as T) : record;
}

/** Errors are left to their serializer, because a copy would lose the message. */
function inside(value: unknown, depth: number): unknown {
  const isRecord = typeof value === 'object' && value !== null && !(value instanceof Error);
  return isRecord && depth > 0 ? hideSecrets(value, depth) : value;
}

/** Secrets that may occur in external texts, such as error messages. Every pattern is bounded to keep matching fast. */
const SECRET_PATTERNS = [
  // A license key after its prefix, with hyphens percent-encoded or not.
  /[0-9a-f]{24}(?:(?:-|%2D)[0-9a-z]{4}){3}/gi,
  // The secret of an API key or webhook, truncated or not.
  /\b(?:lms|whsec)_[\w+/=-]{6,80}/g,
  // The secret of an authenticator app in its URI, and a recovery code.
  /\botpauth:[^\s"]{1,400}/g,
  /\b[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){3}\b/g,
  // A JSON Web Token, truncated or not.
  /\beyJ[\w-]{10,}(?:\.[\w-]*){0,2}/g,
  // A refresh token (two halves of 22 characters), or a lookup hash (32 bytes in base64url).
  /(?<![\w-])[\w-]{43,44}(?![\w-])/g,
  // An email address. Also matches the password and host of a URI with credentials.
  /[^\s"'`\\/:@<>(){}]{1,64}@[^\s"'`\\/@<>(){}]{1,255}/g,
  // The values of a unique index in a MongoDB error.
  /(?<=dup key: \{)[^}]*(?=\})/g,
];

/** Masks license keys, secrets, tokens, hashes and email addresses in a text. */
export function maskSecrets(text: string): string {
  return SECRET_PATTERNS.reduce((masked, secret) => masked.replace(secret, MASK), text);
}

const STDOUT = 1;
/** Maximum number of pending characters; further lines are dropped. */
const MAX_WAITING = 4 * 1024 * 1024;
/** How long to wait before retrying a failed write, in milliseconds. */
const RETRY_AFTER = 100;

/**
 * Standard output, written once per iteration of the event loop, because many requests complete in one
 * iteration, and separate writes would take as long as their responses.
 *
 * The log never stops or blocks the service and has limited size: while a pipe or disk is full, up to 4 MB
 * of lines wait, and further lines are dropped. Their number is logged at level 40 after the pending lines.
 */
export function batchedLines(metrics?: Metrics): DestinationStream {
  const droppedLines = metrics?.counter('log_lines_dropped_total', 'Dropped log lines').labels();
  let waiting = '';
  let dropped = 0;
  let isBusy = false;
  /** The unwritten rest of the current batch. */
  let left = Buffer.alloc(0);

  const takeWaiting = () => {
    const batch = Buffer.from(waiting + reportOf(dropped));
    waiting = '';
    dropped = 0;
    return batch;
  };
  const write = () => {
    const batch = left.length > 0 ? left : takeWaiting();
    left = Buffer.alloc(0);
    isBusy = batch.length > 0;
    if (!isBusy) return;
    fs.write(STDOUT, batch, (error, written) => {
      left = batch.subarray(written);
      if (error) setTimeout(write, RETRY_AFTER).unref();
      else write();
    });
  };

  process.once('exit', () => {
    try {
      fs.writeSync(STDOUT, Buffer.concat([left, takeWaiting()]));
    } catch {
      // Nothing can be reported any more.
    }
  });
  return {
    write: (line) => {
      if (waiting.length + line.length > MAX_WAITING) {
        dropped += 1;
        droppedLines?.inc();
        return;
      }
      waiting += line;
      if (isBusy) return;
      isBusy = true;
      setImmediate(write);
    },
  };
}

function reportOf(lines: number): string {
  if (lines === 0) return '';
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 40, time, lines, msg: 'log lines were lost' })}\n`;
}
