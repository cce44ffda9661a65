import type { Types } from 'mongoose';
import type { License } from '../../../licenses/license.js';
import type { LicenseEvent } from '../../../licenses/license-event.js';
import {
  storedStatusesBefore,
  type Transition,
  TRANSITIONS,
} from '../../../licenses/license-transitions.js';
import { onDuplicate } from '../connection/driver-errors.js';
import type { Transaction } from '../connection/mongo-store.js';
import { insertRecord, statementOptions } from '../connection/statement-deadline.js';
import { TELLS_OF_CERTIFICATE } from '../schemas/license-event.schema.js';
import {
  type LicenseRecord,
  toLicense,
  toLicenseRecord,
  WITHOUT_EVENTS,
} from '../schemas/license.schema.js';
import type { Models } from '../schemas/models.js';
import { readOwnEvents, updateWithEvents } from './own-events.js';

/**
 * Inserts a license with the event of its creation. The caller increments the project's count.
 *
 * @throws MongoServerError where another license has the key; see {@link keyCollision}
 */
export function insertLicense(
  { licenses, session }: Transaction,
  license: License,
  created: LicenseEvent,
): Promise<void> {
  return insertRecord(licenses, toLicenseRecord(license, created), session);
}

/** The outcome of a transaction that failed because another license has the key; rethrows any other error. */
export const keyCollision = (error: unknown) => onDuplicate('keyHash', 'key_collision', error);

/**
 * Changes a license by a transition and stores the events of it, in one statement.
 *
 * @returns null where no license fits the condition, or its status does not allow the transition
 */
export async function changeLicense(
  { licenses, session }: Models & Partial<Transaction>,
  transition: Transition,
  condition: Partial<LicenseRecord>,
  changes: Partial<LicenseRecord>,
  events: readonly LicenseEvent[],
): Promise<License | null> {
  const record = await licenses.collection.findOneAndUpdate(
    { ...condition, status: { $in: storedStatusesBefore(transition) } },
    updateWithEvents({ ...changes, status: TRANSITIONS[transition].to }, events),
    {
      ...(session && { session }),
      returnDocument: 'after',
      projection: WITHOUT_EVENTS,
      ...statementOptions(),
    },
  );
  return record && toLicense(record as unknown as LicenseRecord);
}

/** The latest end of a license's certificates for machines without a network; null if it has none. */
export async function lastCertificateEnd(
  tx: Transaction,
  license: Types.ObjectId,
): Promise<Date | null> {
  const { licenseEvents, session } = tx;
  const own = await readOwnEvents(tx, license);
  const inCollection = await licenseEvents
    .findOne({ license, ...TELLS_OF_CERTIFICATE }, null, { session })
    .sort({ certificateExpiresAt: -1 })
    .lean();
  const ends = [...own, inCollection].flatMap(
    (event) => event?.certificateExpiresAt?.getTime() ?? [],
  );
  return ends.length > 0 ? new Date(Math.max(...ends)) : null;
}
