import { type DestinationStream, pino } from 'pino';
import type { Config } from '../config/config.js';
import { batchedLines } from './batched-lines.js';
import { toErrorRecord } from './error-record.js';
import { hideSecrets, maskSecrets } from './redaction.js';

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
