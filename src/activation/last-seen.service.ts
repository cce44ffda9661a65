import { Injectable } from '@nestjs/common';
import { type License, LICENSES } from '../licenses/license.js';
import { type Machine, withSeen } from '../licenses/machine.js';
import { BackgroundWrites } from '../shared/background-writes.js';
import { Clock } from '../shared/time/clock.js';
import { startOfDay } from '../shared/time/days.js';
import { replace } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';

/** Writes on which day machines were seen last: at most once a day for each, because validation changes nothing. */
@Injectable()
export class LastSeen extends BackgroundWrites<Set<string>> {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {
    super('On which day machines were seen');
  }

  /** Notes that a machine has validated a license. */
  note({ _id }: License, { machineId, lastSeenAt }: Machine, now: Date): void {
    if (lastSeenAt >= startOfDay(now)) return;
    this.add(_id, (machines = new Set()) => machines.add(machineId));
  }

  protected writeOne(_id: string, machines: ReadonlySet<string>): Promise<void> {
    const decide = async () => {
      const before = await this.store.find(LICENSES, { _id });
      const license = before && withSeen(before, machines, this.clock.now());
      const changes = license && license !== before ? [replace(LICENSES, before, license)] : [];
      return { result: undefined, changes };
    };
    return this.decisions.run<void>(decide, { key: _id });
  }
}
