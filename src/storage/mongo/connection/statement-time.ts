import { storeUnavailable } from '../../store-unavailable.js';

/** The server ends a statement this many milliseconds before the driver would: so its connection is kept. */
const SERVER_MARGIN = 100;

/** Options by which a statement ends at its deadline. */
export interface StatementOptions {
  /** Ends it on the server. */
  readonly maxTimeMS: number;
  /** Ends waiting for it, and trying it again, in the driver, which closes its connection then. */
  readonly signal: AbortSignal;
}

/**
 * The options of a statement that begins now.
 *
 * @param endsAt its deadline, in milliseconds of performance.now()
 * @throws DomainError STORE_UNAVAILABLE where that has passed
 */
export function statementOptions(endsAt: number): StatementOptions {
  const remaining = timeUntil(endsAt);
  const abort = new AbortController();
  setTimeout(() => abort.abort(storeUnavailable('deadline')), remaining).unref();
  // 0 would be no limit.
  return { maxTimeMS: Math.max(1, remaining - SERVER_MARGIN), signal: abort.signal };
}

/** The milliseconds until a deadline; as {@link statementOptions}. */
export function timeUntil(endsAt: number): number {
  const remaining = Math.floor(endsAt - performance.now());
  if (remaining <= 0) throw storeUnavailable('deadline');
  return remaining;
}
