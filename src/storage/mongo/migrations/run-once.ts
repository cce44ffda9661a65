import { setTimeout } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { mongo } from 'mongoose';

/** A migration that the database has had, or that has begun. */
export interface MigrationRecord {
  readonly _id: string;
  /** Programs of the schema before can serve the migrated database. Absent where an early version has recorded it. */
  readonly schema?: number;
  /** When the instance that runs it is taken to be dead, by the clock of MongoDB; absent once it is done. */
  readonly until?: Date;
}

/** Life of an instance that does not renew it, interval of renewals, and pause of an instance that waits, in milliseconds. */
const LIFE = 10_000;
const RENEWAL = 2_000;
const PAUSE = 100;

/**
 * Runs a migration, or waits while another instance runs it. Its record is stored before it begins, so that no earlier
 * version starts on the database any more.
 *
 * @param migrate may be interrupted, and begun again by another instance
 */
export async function runOnce(
  migrations: mongo.Collection<MigrationRecord>,
  { _id, ...record }: MigrationRecord,
  migrate: () => Promise<void>,
): Promise<void> {
  const unfinished = { _id, until: { $exists: true } };
  const lease = [{ $set: { until: { $add: ['$$NOW', LIFE] } } }];
  const begun = { ...record, until: new Date(0) };
  await migrations.updateOne({ _id }, { $setOnInsert: begun }, { upsert: true });
  const free = { ...unfinished, $expr: { $lt: ['$until', '$$NOW'] } };
  for (let isLogged = false; !(await migrations.findOneAndUpdate(free, lease)); isLogged = true) {
    if (!(await migrations.findOne(unfinished))) return;
    if (!isLogged) new Logger('Migrations').log(`${_id} waits for the instance that runs it`);
    await setTimeout(PAUSE);
  }
  const renew = () => migrations.updateOne(unfinished, lease).catch(() => undefined);
  const timer = setInterval(() => void renew(), RENEWAL);
  try {
    await migrate();
    await migrations.updateOne(unfinished, { $unset: { until: '' } });
  } finally {
    clearInterval(timer);
  }
}
