import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type License, LICENSES } from '../licenses/license.js';
import { type Machine, withSeen } from '../licenses/machine.js';
import { Clock } from '../shared/time/clock.js';
import { startOfDay } from '../shared/time/days.js';
import { replace } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';

/** Most licenses whose machines wait to be written: others are noted at their next validation. */
const MAX_WAITING = 10_000;
/** Milliseconds between two writes. */
const INTERVAL = 60_000;

/** Writes on which day machines were seen last: in the background, at most once a day for each, because validation changes nothing. */
@Injectable()
export class LastSeen implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(LastSeen.name);
  /** The machines that were seen, by license. */
  private waiting = new Map<string, Set<string>>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  private isStopping = false;

  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.write(), INTERVAL);
    this.timer.unref();
  }

  /** Before the store is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.writing;
  }

  /** Notes that a machine has validated a license. */
  note({ _id }: License, { machineId, lastSeenAt }: Machine, now: Date): void {
    if (lastSeenAt >= startOfDay(now)) return;
    const machines = this.waiting.get(_id);
    if (machines) machines.add(machineId);
    else if (this.waiting.size < MAX_WAITING) this.waiting.set(_id, new Set([machineId]));
  }

  /** Writes what has been noted, one license after the other. */
  write(): Promise<void> {
    this.writing ??= this.writeAll().finally(() => (this.writing = undefined));
    return this.writing;
  }

  private async writeAll(): Promise<void> {
    const noted = this.waiting;
    this.waiting = new Map();
    try {
      for (const [_id, machines] of noted) {
        if (this.isStopping) return;
        await this.writeOne(_id, machines);
      }
    } catch (error) {
      this.logger.warn(`On which day machines were seen was not written: ${String(error)}`);
    }
  }

  private writeOne(_id: string, machines: ReadonlySet<string>): Promise<void> {
    const decide = async () => {
      const before = await this.store.find(LICENSES, { _id });
      const license = before && withSeen(before, machines, this.clock.now());
      const changes = license && license !== before ? [replace(LICENSES, before, license)] : [];
      return { result: undefined, changes };
    };
    return this.decisions.run<void>(decide, { key: _id });
  }
}
