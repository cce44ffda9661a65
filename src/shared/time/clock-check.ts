import { Injectable, Logger } from '@nestjs/common';
import { Metrics, NO_METRICS } from '../../metrics/metrics.js';
import { DeploymentItems } from '../../storage/deployment-items.js';
import { DAY_MS } from './calendar.js';
import { Clock } from './clock.js';

const HOUR_MS = DAY_MS / 24;
/** A service that was stopped for longer than this looks like one whose clock is ahead. */
const MAX_AHEAD = 3 * DAY_MS;

/**
 * Decides whether expired records may be deleted. If the clock is days ahead of the last stored time, or
 * behind it, nothing is deleted for a day, so someone can correct it.
 */
@Injectable()
export class ClockCheck {
  private readonly logger = new Logger(ClockCheck.name);
  /** When the time became doubtful, by the monotonic clock. */
  private doubtfulSince: number | undefined;

  constructor(
    private readonly deployment: DeploymentItems,
    private readonly clock: Clock,
    metrics: Metrics = NO_METRICS,
  ) {
    const ofTime = 'The time of this instance, in seconds since 1970';
    metrics.gauge('clock_seconds', ofTime, () => clock.now().getTime() / 1000);
    const ofDoubt = 'Whether expired records are kept because the clock has jumped';
    metrics.gauge('clock_doubtful', ofDoubt, () => Number(this.doubtfulSince !== undefined));
  }

  /** Also stores the time, at most once an hour. */
  async mayDelete(): Promise<boolean> {
    const now = this.clock.now();
    const stored = await this.deployment.findOrCreate('clock', () => now.toISOString());
    const ahead = now.getTime() - Date.parse(stored);
    if (ahead > MAX_AHEAD || ahead < -HOUR_MS) {
      if (this.doubtfulSince === undefined) this.warn(ahead);
      this.doubtfulSince ??= performance.now();
      if (performance.now() - this.doubtfulSince < DAY_MS) return false;
    } else if (ahead < HOUR_MS) {
      this.doubtfulSince = undefined;
      return true;
    }
    this.doubtfulSince = undefined;
    await this.deployment.replace('clock', stored, now.toISOString());
    return true;
  }

  private warn(ahead: number): void {
    const hours = Math.round(Math.abs(ahead) / HOUR_MS);
    const distance = hours > 48 ? `${Math.round(hours / 24)} days` : `${hours} hours`;
    this.logger.warn(
      `The clock is ${distance} ${ahead > 0 ? 'ahead of' : 'behind'} the time when this store was last in use. Correct it if it ` +
        'is wrong. Until then, or for a day, expired records are not deleted.',
    );
  }
}
