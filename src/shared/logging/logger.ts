import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config/config.js';
import { batchedLines } from './batched-lines.js';
import { hideSecrets, maskSecrets } from './redaction.js';

/** Longest logged message or stack, in characters. */
const MAX_LENGTH = 8 * 1024;
/** Shorter messages hold no secret: passwords have at least 12 characters. That saves each request a microsecond. */
const SHORTEST_SECRET = 12;

/**
 * The log: one JSON object a line, without secrets.
 *
 * @param to stdout by default
 */
export function createLogger({ logLevel }: Pick<Config, 'logLevel'>, to?: DestinationStream) {
  const options = {
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // A safety net: nothing logs a secret on purpose.
    formatters: { log: hideSecrets<Record<string, unknown>> },
    serializers: {
      err: toErrorRecord,
      // A failure that is no fault of the program.
      cause: (thrown: unknown) => ({ ...toErrorRecord(thrown), stack: undefined }),
      // Fastify's default serializer would log the URL.
      req: ({ method }: { method: string }) => ({ method }),
      msg: (text: string) => (text.length < SHORTEST_SECRET ? text : maskSecrets(text)),
      stack: maskSecrets,
    },
  };
  return pino(options, to ?? batchedLines());
}

/** Lets Nest write to the log. Its messages about modules and routes at startup have the level debug. */
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

/** The logged part of an error and its causes. Nothing else is logged: drivers attach records and commands to errors. */
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
