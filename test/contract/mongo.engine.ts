import { randomUUID } from 'node:crypto';
import { getConnectionToken } from '@nestjs/mongoose';
import { Test, type TestingModule } from '@nestjs/testing';
import type { Connection, mongo } from 'mongoose';
import { Deadline } from '../../src/shared/request-context.js';
import { MongoStore } from '../../src/storage/mongo/connection/mongo-store.js';
import { MongoModule } from '../../src/storage/mongo/mongo.module.js';
import type { StoreUser } from '../../src/storage/store-user.js';
import { UNHURRIED } from '../engines.js';
import { NO_QUOTAS } from '../no-limits.js';
import { contradictionsIn, eventsOf } from './mongo-contradictions.js';
import { lockFailPoint } from './fail-point-lock.js';
import { QuotasModule } from './quotas.module.js';
import { type Step, StoreUnderTest, type Table } from './store-under-test.js';

/** A failure that the server injects into commands of one client: the data of its fail point `failCommand`. */
export interface Failure {
  readonly failCommands: string[];
  readonly namespace?: string;
  readonly errorCode?: number;
  readonly errorLabels?: string[];
  readonly closeConnection?: boolean;
  readonly writeConcernError?: object;
  readonly blockConnection?: boolean;
  readonly blockTimeMS?: number;
}

// OperationFailed: no driver retries it.
const NOT_RETRIED = { errorCode: 96 };

const WRITES = ['insert', 'update', 'findAndModify', 'delete'];

const COLLECTIONS: Record<Exclude<Step, 'commit'>, string> = {
  client: 'clients',
  project: 'projects',
  license: 'licenses',
  event: 'licenses',
  'signing keys': 'signing_keys',
  idempotency: 'idempotency_records',
  totals: 'totals',
};

export class MongoUnderTest extends StoreUnderTest {
  protected constructor(
    module: TestingModule,
    private readonly address: URL,
    private readonly deadline: Deadline,
  ) {
    super(module);
  }

  /** Opens a new database on a server. */
  static open(
    serverUri = process.env.TEST_MONGODB_URI,
    deadline: Deadline = UNHURRIED,
  ): Promise<MongoUnderTest> {
    const uri = new URL(String(serverUri));
    const name = `contract-${randomUUID()}`;
    uri.pathname = `/${name}`;
    // Failures are injected into the commands of this client alone.
    uri.searchParams.set('appName', name);
    return this.connect(uri, deadline);
  }

  /** One more instance of the service, or a tool, on the same database. */
  join(user?: StoreUser): Promise<MongoUnderTest> {
    return MongoUnderTest.connect(this.address, this.deadline, user);
  }

  /** One instance of the service, or a tool, on a database. */
  static async connect(
    uri: URL,
    deadline: Deadline = UNHURRIED,
    user: StoreUser = 'service',
  ): Promise<MongoUnderTest> {
    const imports = [QuotasModule.of({ ...NO_QUOTAS }), MongoModule.forRoot(uri.href, user)];
    const module = await Test.createTestingModule({ imports })
      .overrideProvider(Deadline)
      .useValue(deadline)
      .compile();
    return new this(await module.init(), uri, deadline);
  }

  private get name(): string {
    return this.address.pathname.slice(1);
  }

  get uri(): string {
    return this.address.href;
  }

  get connection(): Connection {
    return this.module.get(getConnectionToken());
  }

  /** Every statement of the ports is run by this. */
  get mongo(): MongoStore {
    return this.module.get(MongoStore);
  }

  collection(name: string): mongo.Collection {
    return this.connection.getClient().db(this.name).collection(name);
  }

  async count(table: Table): Promise<number> {
    const count = await this.collection(table).countDocuments();
    if (table !== 'license_events') return count;
    const licenses = await this.collection('licenses').find().toArray();
    return count + eventsOf(licenses).length;
  }

  contradictions(): Promise<string[]> {
    return contradictionsIn((name) => this.collection(name).find().toArray());
  }

  /** Does the work while commands fail: the first `times` of them, or all without it. */
  async whileInjecting<T>(failure: Failure, work: () => Promise<T>, times?: number): Promise<T> {
    const client = this.connection.getClient();
    const configure = async (mode: unknown) => {
      const data = { appName: this.name, ...failure };
      const command = { configureFailPoint: 'failCommand', mode, ...(mode !== 'off' && { data }) };
      await client.db('admin').command(command);
    };
    const unlock = await lockFailPoint(client);
    try {
      await configure(times === undefined ? 'alwaysOn' : { times });
      return await work();
    } finally {
      await configure('off');
      await unlock();
    }
  }

  /** The failure of every write of a step. */
  atStep(step: Step, failure: Omit<Failure, 'failCommands'>): Failure {
    if (step === 'commit') return { failCommands: ['commitTransaction'], ...failure };
    return { failCommands: WRITES, namespace: `${this.name}.${COLLECTIONS[step]}`, ...failure };
  }

  whileFailing<T>(step: Step, work: () => Promise<T>): Promise<T> {
    return this.whileInjecting(this.atStep(step, NOT_RETRIED), work);
  }

  async close(): Promise<void> {
    try {
      await this.connection.dropDatabase();
    } finally {
      await this.leave();
    }
  }

  /** Closes the connection and leaves the database as it is. */
  async leave(): Promise<void> {
    await this.module.close();
  }
}
