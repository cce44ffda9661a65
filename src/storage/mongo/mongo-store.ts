import type { ClientSession, Connection, Model, mongo } from 'mongoose';
import { DomainError } from '../../shared/errors/domain-error.js';
import type { Deadline } from './deadline.js';
import { isOutage } from './outage.js';
import { Turns } from './turns.js';
import { requireKnownUpgrades, upgrade } from './upgrade.js';

/** The connected database: every statement of this engine goes through it. */
export class MongoStore {
  private readonly turns = new Turns();

  private constructor(
    private readonly connection: Connection,
    private readonly deadline: Deadline,
  ) {}

  /**
   * Makes the collections and indexes that are missing, and upgrades the records, before the first statement.
   *
   * @throws StartupError where the database is newer than this program
   */
  static async prepare(
    connection: Connection,
    models: Model<unknown>[],
    deadline: Deadline,
  ): Promise<MongoStore> {
    await requireKnownUpgrades(connection);
    await Promise.all(
      models.map(async (model) => {
        await model.createCollection();
        await model.createIndexes();
      }),
    );
    await upgrade(connection);
    return new MongoStore(connection, deadline);
  }

  /**
   * Runs one statement.
   *
   * @throws DomainError STORE_UNAVAILABLE where the database is not there, or too slow
   */
  async run<T>(statement: () => PromiseLike<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(unavailable('deadline')), this.deadline.milliseconds);
    });
    try {
      return await Promise.race([statement(), deadline]);
    } catch (error) {
      throw isOutage(error) ? unavailable(error) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Runs statements in one transaction, and again where another instance's was in conflict with it
   * or its outcome is unknown.
   *
   * @param subject names what such transactions are in conflict over; in this process they take turns,
   *   as many that conflict at once would each begin anew for longer than anyone waits
   * @param work passes its transaction, as their session, to each of its statements, one after the other
   * @throws DomainError STORE_UNAVAILABLE where the database is not there, or too slow
   */
  transaction<T>(subject: string, work: (tx: ClientSession) => Promise<T>): Promise<T> {
    const end = performance.now() + this.deadline.milliseconds;
    // Whoever asked has been told of a failure by then: no commit may begin. One under way may still succeed.
    const refuseWhenOver = () => {
      if (performance.now() >= end) throw unavailable('deadline');
    };
    const attempt = async (tx: ClientSession): Promise<T> => {
      refuseWhenOver();
      const result = await work(tx);
      refuseWhenOver();
      return result;
    };
    return this.run(() =>
      this.turns.take(subject, async () => {
        refuseWhenOver();
        return this.commit(attempt);
      }),
    );
  }

  /** Resolves when the primary answers. */
  async ping(): Promise<void> {
    await this.run(() => this.command({ ping: 1 }));
  }

  private async commit<T>(attempt: (tx: ClientSession) => Promise<T>): Promise<T> {
    const tx = await this.connection.startSession();
    try {
      return await tx.withTransaction(attempt);
    } catch (error) {
      // The driver may have failed to abort it, and the server would keep its locks for a minute.
      await this.command({ killSessions: [tx.id] }).catch(() => undefined);
      throw error;
    } finally {
      await tx.endSession();
    }
  }

  private command(command: mongo.Document): Promise<mongo.Document> {
    return this.connection.getClient().db('admin').command(command);
  }
}

function unavailable(cause: unknown): DomainError {
  return new DomainError('STORE_UNAVAILABLE', {}, { retryAfter: 1, cause });
}
