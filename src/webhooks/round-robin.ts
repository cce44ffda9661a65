import type { Collection, FieldOf, Stored } from '../storage/collection.js';
import type { Filter } from '../storage/filter.js';
import type { ListPosition, Store } from '../storage/store.js';

/** Groups of a round: the next one goes on with those after. */
const ROUND_SIZE = 100;
/** Greater than every id, so that a position is after all records of a group. */
const AFTER_ALL = 'f'.repeat(24);

/** Visits the groups of records in turns, whatever their sizes, by one short read each: those of an account, or of a webhook. */
export class RoundRobin<R extends Stored> {
  private after: ListPosition | undefined;

  /** @param by the field that names the group; an index has the fields of the filter, then this field and `_id` */
  constructor(
    private readonly store: Store,
    private readonly collection: Collection<R>,
    private readonly filter: Filter<R>,
    private readonly by: FieldOf<R>,
  ) {}

  /**
   * Visits some groups.
   *
   * @param visit gets a record of the group; false ends the round after it
   * @returns whether there may be groups after them
   */
  async round(visit: (record: R) => Promise<boolean>): Promise<boolean> {
    const order = { by: this.by, direction: 'asc' } as const;
    for (let visited = 0; visited < ROUND_SIZE; visited += 1) {
      const slice = { limit: 1, after: this.after };
      const [record] = await this.store.list(this.collection, this.filter, order, slice);
      this.after = record && { value: record[this.by] as string, _id: AFTER_ALL };
      if (!record) return false;
      if (!(await visit(record))) return false;
    }
    return true;
  }
}
