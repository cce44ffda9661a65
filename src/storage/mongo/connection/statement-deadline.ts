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

/** The time of some statements, until a deadline. */
export class StatementTime {
  private readonly abort = new AbortController();
  private readonly timer: NodeJS.Timeout;

  /** @param endsAt in milliseconds of performance.now() */
  constructor(readonly endsAt: number) {
    const remaining = Math.max(0, endsAt - performance.now());
    this.timer = setTimeout(() => this.abort.abort(storeUnavailable('deadline')), remaining);
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** The options of a statement that begins now. */
  options(): StatementOptions {
    const remaining = this.endsAt - performance.now() - SERVER_MARGIN;
    // 0 would be no limit.
    return { maxTimeMS: Math.max(1, Math.floor(remaining)), signal: this.signal };
  }

  /** To be called once no statement needs it any more. */
  end(): void {
    clearTimeout(this.timer);
  }
}

/**
 * Runs statements that end by a deadline.
 *
 * @param endsAt in milliseconds of performance.now()
 * @throws DomainError STORE_UNAVAILABLE at the deadline, however long the work goes on
 */
export async function runUntil<T>(
  endsAt: number,
  work: (time: StatementTime) => Promise<T>,
): Promise<T> {
  if (endsAt <= performance.now()) throw storeUnavailable('deadline');
  const time = new StatementTime(endsAt);
  const { signal } = time;
  try {
    return await new Promise<T>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      work(time).then(resolve, reject);
    });
  } finally {
    time.end();
  }
}
