import { setTimeout } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { mongo } from 'mongoose';

export const SCHEMA_ID = 'schema';

/** The schema of a database. */
export interface SchemaRecord {
  readonly _id: typeof SCHEMA_ID;
  readonly version: number;
  /** While the migration to this version is unfinished: when its instance is taken to be dead, by the clock of MongoDB. */
  readonly until?: Date;
}

/** Life of an instance that does not renew it, interval of renewals, and pause of an instance that waits, in milliseconds. */
const LIFE = 10_000;
const RENEWAL = 2_000;
const PAUSE = 100;

/**
 * Runs the migration to a schema, or waits while another instance runs it. The schema is recorded before the migration begins: from then
 * on, programs that cannot serve it do not start on the database.
 *
 * @param migrate may be interrupted, and restarted by another instance
 */
export async function runOnce(
  schemas: mongo.Collection<SchemaRecord>,
  version: number,
  migrate: () => Promise<void>,
): Promise<void> {
  const before = { _id: SCHEMA_ID, version: version - 1, until: { $exists: false } } as const;
  const unfinished = { _id: SCHEMA_ID, version, until: { $exists: true } } as const;
  const lease = [{ $set: { until: { $add: ['$$NOW', LIFE] } } }];
  await schemas.updateOne(before, { $set: { version, until: new Date(0) } });
  const logger = new Logger('Migrations');
  const free = { ...unfinished, $expr: { $lt: ['$until', '$$NOW'] } };
  for (let isLogged = false; !(await schemas.findOneAndUpdate(free, lease)); isLogged = true) {
    if (!(await schemas.findOne(unfinished))) return;
    if (!isLogged) logger.log('Waiting for another instance to migrate the database');
    await setTimeout(PAUSE);
  }
  const renew = () => schemas.updateOne(unfinished, lease).catch(() => undefined);
  const timer = setInterval(() => void renew(), RENEWAL);
  try {
    await migrate();
    await schemas.updateOne(unfinished, { $unset: { until: '' } });
  } finally {
    clearInterval(timer);
  }
}
