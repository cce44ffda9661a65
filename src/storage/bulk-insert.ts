import { Injectable } from '@nestjs/common';
import { type Change, insert } from './changes.js';
import { type AnyCollection, NOT_STORED, type Stored } from './collection.js';
import { WritableStore } from './writable-store.js';

/** Stores records that exist elsewhere. Unlike changes from decisions, their events have no effects. */
@Injectable()
export class BulkInsert {
  constructor(private readonly store: WritableStore) {}

  /**
   * @returns undefined if all records were stored; otherwise none were, and it returns the first one that
   *   could not be
   */
  async insert(collection: AnyCollection, records: readonly Stored[]): Promise<Stored | undefined> {
    const changes: Change[] = records.map((one) =>
      insert(collection, { ...one, version: NOT_STORED }),
    );
    const committed = await this.store.commit(changes);
    if (committed.ok) return undefined;
    return committed.failed.kind === 'insert' ? committed.failed.record : records[0];
  }
}
