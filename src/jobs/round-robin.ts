import type { Collection, FieldOf, Stored } from '../storage/collection.js';
import type { Filter } from '../storage/filter.js';
import type { Store } from '../storage/store.js';

/** Maximum number of groups per round; the next round continues after them. */
const ROUND_SIZE = 100;

/** Visits groups of records in turn, regardless of their size, with one short read each. A group is an account or a webhook. */
export class RoundRobin<R extends Stored> {
  /** The lowest id the next group can have. */
  private from: string | undefined;

  /** @param by the field that identifies the group; needs an index on the filter's fields, then this field and `_id` */
  constructor(
    private readonly store: Store,
    private readonly collection: Collection<R>,
    private readonly filter: Filter<R>,
    private readonly by: FieldOf<R>,
  ) {}

  /** Whether the next round continues mid-list; earlier groups then wait for the round after it. */
  get isMidway(): boolean {
    return this.from !== undefined;
  }

  /**
   * Visits the next groups.
   *
   * @param visit receives one record of the group; returning false ends the round after it
   * @returns whether more groups may follow
   */
  async visitNext(visit: (record: R) => Promise<boolean>): Promise<boolean> {
    const order = { by: this.by, direction: 'asc' } as const;
    for (let visited = 0; visited < ROUND_SIZE; visited += 1) {
      const following = this.from === undefined ? {} : { [this.by]: { from: this.from } };
      const filter = { ...this.filter, ...following };
      const [record] = await this.store.list(this.collection, filter, order, { limit: 1 });
      this.from = record && nextId(record[this.by] as string);
      if (!record) return false;
      if (!(await visit(record))) return false;
    }
    return true;
  }
}

/** The next higher id, so that reading from there skips the group in one step instead of passing all its records. */
const nextId = (id: string): string =>
  (BigInt(`0x${id}`) + 1n).toString(16).padStart(id.length, '0');
