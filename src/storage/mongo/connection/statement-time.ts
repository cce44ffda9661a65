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
  readonly signal = this.abort.signal;

  /** @param endsAt in milliseconds of performance.now() */
  constructor(readonly endsAt: number) {
    const over = () => this.abort.abort(storeUnavailable('deadline'));
    const remaining = endsAt - performance.now();
    if (remaining <= 0) over();
    this.timer = setTimeout(over, Math.max(0, remaining));
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
