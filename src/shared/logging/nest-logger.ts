import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

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
