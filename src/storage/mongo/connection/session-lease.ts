import { Logger } from '@nestjs/common';
import type { ClientSession, Connection, mongo } from 'mongoose';
import { newObjectId } from '../../../shared/ids/object-id.js';
import { databaseOf } from '../documents/documents.js';
import { isOutage } from './driver-errors.js';

/** Interval of renewals, and life of a lease by the clock of MongoDB, in milliseconds. */
const RENEWAL = 1_000;
const LIFE = 4_000;
/** Timeout of one statement, in milliseconds. */
const TIMEOUT = 2_000;

type SessionId = NonNullable<ClientSession['id']>;

interface Lease {
  readonly _id: string;
  /** The sessions in which the instance has transactions. */
  readonly sessions: readonly SessionId[];
  readonly until: Date;
}

/**
 * Tells other instances the sessions of this one, and ends those of instances that were killed: MongoDB would keep the
 * locks of their transactions for more than a minute.
 */
export class SessionLease {
  private readonly logger = new Logger(SessionLease.name);
  private readonly _id = newObjectId();
  private readonly sessions: readonly SessionId[];
  private readonly leases: mongo.Collection<Lease>;

  constructor(
    private readonly connection: Connection,
    sessions: readonly ClientSession[],
  ) {
    this.sessions = sessions.map(({ id }) => id!);
    this.leases = databaseOf(connection).collection<Lease>('instances');
  }

  /** Resolves once other instances can read the lease, which is renewed until the connection closes. */
  async begin(): Promise<void> {
    await this.renew();
    // Nothing is in progress in the own sessions yet.
    await this.kill(this.sessions).catch((error: Error) => {
      this.logger.warn(
        `MongoDB does not end sessions for the user of MONGODB_URI (${error.name}): while an instance has been killed, ` +
          'requests for records that it was changing fail for up to 90 seconds.',
      );
    });
    const timer = setInterval(() => void this.renew().catch(() => undefined), RENEWAL).unref();
    this.connection.once('close', () => clearInterval(timer));
  }

  private async renew(): Promise<void> {
    const options = { signal: AbortSignal.timeout(TIMEOUT), writeConcern: { w: 1 } };
    // By one clock, that of MongoDB.
    const until = { $add: ['$$NOW', LIFE] };
    const lease = [{ $set: { sessions: { $literal: this.sessions }, until } }];
    await this.leases.updateOne({ _id: this._id }, lease, { upsert: true, ...options });
    const isLapsed = { $expr: { $lt: ['$until', '$$NOW'] } };
    for (const { _id, sessions, until } of await this.leases.find(isLapsed, options).toArray()) {
      await this.kill(sessions).catch((error) => {
        if (isOutage(error)) throw error;
      });
      await this.leases.deleteOne({ _id, until }, options);
    }
  }

  private async kill(sessions: readonly SessionId[]): Promise<void> {
    const admin = this.connection.getClient().db('admin');
    const options = { signal: AbortSignal.timeout(TIMEOUT) };
    await admin.command({ killSessions: sessions }, options);
  }
}
