import { DatabaseSync } from '@photostructure/sqlite';
import { isBusy } from './write-queue.js';

/** That this process owns a store. */
export interface Ownership {
  release(): void;
}

/**
 * Takes the store of a data folder for this process alone: an exclusive lock on a small file of its
 * own beside the store, which the system releases at once however the process ends.
 *
 * @returns the ownership, or undefined where another process owns the store
 */
export function ownStore(file: string): Ownership | undefined {
  const lock = new DatabaseSync(file);
  try {
    // The write fails on a read-only file, where the lock would exclude nobody.
    lock.exec('BEGIN EXCLUSIVE; PRAGMA user_version = 1');
  } catch (error) {
    lock.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return { release: () => lock.close() };
}
