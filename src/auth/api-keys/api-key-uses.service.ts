import { Injectable } from '@nestjs/common';
import { DeferredWrites } from '../../jobs/deferred-writes.js';
import { startOfHour } from '../../shared/time/days.js';
import { replace } from '../../storage/changes.js';
import { Decisions } from '../../storage/decisions.js';
import { Store } from '../../storage/store.js';
import { API_KEYS, type ApiKey } from './api-key.js';

/** Writes in which hour API keys were used last: at most once an hour for each. */
@Injectable()
export class ApiKeyUses extends DeferredWrites<Date> {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
  ) {
    super('In which hour API keys were used');
  }

  note({ _id, lastUsedAt }: ApiKey, now: Date): void {
    const hour = startOfHour(now);
    if (lastUsedAt === null || lastUsedAt < hour) this.add(_id, () => hour);
  }

  protected async writeBatch(noted: ReadonlyMap<string, Date>): Promise<void> {
    for (const [_id, lastUsedAt] of noted) {
      const decide = async () => {
        const before = await this.store.find(API_KEYS, { _id });
        const isNew = before && (before.lastUsedAt === null || before.lastUsedAt < lastUsedAt);
        const changes = isNew ? [replace(API_KEYS, before, { ...before, lastUsedAt })] : [];
        return { result: undefined, changes };
      };
      await this.decisions.run<void>(decide, { key: _id });
    }
  }
}
