import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config/config.js';
import { batchedLines } from './batched-lines.js';
import { toErrorRecord } from './error-record.js';
import { hideSecrets, maskSecrets } from './redaction.js';

/** Shorter messages hold no secret: passwords have at least 12 characters. */
const SHORTEST_SECRET = 12;

/**
 * The log: one JSON object a line, without secrets; on stdout unless told otherwise, where lines that come
 * while one is being written share the next write.
 */
export function createLogger(
  { logLevel }: Pick<Config, 'logLevel'>,
  to?: DestinationStream,
): Logger {
  const options = {
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // Nothing logs a secret on purpose; whoever logs a whole object one day still gives none away.
    formatters: { log: hideSecrets<Record<string, unknown>> },
    serializers: {
      err: toErrorRecord,
      // Fastify's own would log the URL.
      req: ({ method }: { method: string }) => ({ method }),
      msg: (text: string) => (text.length < SHORTEST_SECRET ? text : maskSecrets(text)),
      stack: maskSecrets,
    },
  };
  return pino(options, to ?? batchedLines());
}
