import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config/config.js';
import { batchedLines } from './batched-lines.js';
import { hideSecrets } from './hide-secrets.js';

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
    serializers: { err: (error: Error) => hideSecrets(pino.stdSerializers.err(error)) },
  };
  return pino(options, to ?? batchedLines());
}
