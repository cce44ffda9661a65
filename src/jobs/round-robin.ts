import type { Collection, FieldOf, Stored } from '../storage/collection.js';
import type { Filter } from '../storage/filter.js';
import type { Store } from '../storage/store.js';

/** Groups of a round: the next one goes on with those after. */
const ROUND_SIZE = 100;

/** Visits the groups of records in turns, whatever their sizes, by one short read each: those of an account, or of a webhook. */
export class RoundRobin<R extends Stored> {
  /** The id from which on the next group is. */
  private from: string | undefined;

  /** @param by the field that names the group; an index has the fields of the filter, then this field and `_id` */
  constructor(
    private readonly store: Store,
    private readonly collection: Collection<R>,
    private readonly filter: Filter<R>,
    private readonly by: FieldOf<R>,
  ) {}

  /** Whether the next round continues after a group, so groups before it are left to the round after. */
  get isMidway(): boolean {
    return this.from !== undefined;
  }

  /**
   * Visits some groups.
   *
   * @param visit gets a record of the group; false ends the round after it
   * @returns whether there may be groups after them
   */
  async round(visit: (record: R) => Promise<boolean>): Promise<boolean> {
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

/** The id after an id. A read from there skips a group, where one after its last record would pass all of them. */
const nextId = (id: string): string =>
  (BigInt(`0x${id}`) + 1n).toString(16).padStart(id.length, '0');
