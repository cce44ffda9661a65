import { Injectable } from '@nestjs/common';
import { type Change, insert } from './changes.js';
import { type AnyCollection, NOT_STORED, type Stored } from './collection.js';
import { WritableStore } from './writable-store.js';

/** Stores records that exist elsewhere: unlike the changes of decisions, their events have no effects. */
@Injectable()
export class BulkInsert {
  constructor(private readonly store: WritableStore) {}

  /** @returns the first record that could not be stored, in which case none was; undefined if all were */
  async insert(collection: AnyCollection, records: readonly Stored[]): Promise<Stored | undefined> {
    const changes: Change[] = records.map((one) =>
      insert(collection, { ...one, version: NOT_STORED }),
    );
    const committed = await this.store.commit(changes);
    if (committed.ok) return undefined;
    return committed.failed.kind === 'insert' ? committed.failed.record : records[0];
  }
}
