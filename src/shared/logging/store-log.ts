import type { Logger } from 'pino';

/** A single failed connection can hide a server from its driver for up to a second, which is not an outage. */
const OUTAGE_MS = 2_000;

/** Logs once when the store has been unreachable for 2 s, and once when it is reachable again. */
export class StoreLog {
  private unreachableSince: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isOutage = false;

  constructor(private readonly logger: Logger) {}

  /** Records whether the store is reachable now. */
  record(isReachable: boolean): void {
    if (isReachable) return this.end();
    if (this.unreachableSince !== undefined) return;
    this.unreachableSince = performance.now();
    this.timer = setTimeout(() => this.begin(), OUTAGE_MS).unref();
  }

  /** Stops reporting an outage that has not been logged yet. */
  stop(): void {
    clearTimeout(this.timer);
  }

  /** Whether no outage is logged as ongoing. */
  get isReachable(): boolean {
    return !this.isOutage;
  }

  private begin(): void {
    this.isOutage = true;
    this.logger.error('the store is unreachable');
  }

  private end(): void {
    clearTimeout(this.timer);
    if (this.isOutage) {
      const seconds = Math.round((performance.now() - this.unreachableSince!) / 100) / 10;
      this.logger.info({ seconds }, 'the store is reachable again');
    }
    this.unreachableSince = undefined;
    this.isOutage = false;
  }
}
