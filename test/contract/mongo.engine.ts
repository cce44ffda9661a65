import { randomUUID } from 'node:crypto';
import { getConnectionToken } from '@nestjs/mongoose';
import { Test, type TestingModule } from '@nestjs/testing';
import type { Connection, mongo } from 'mongoose';
import { Deadline } from '../../src/shared/request-context.js';
import { MongoStore } from '../../src/storage/mongo/connection/mongo-store.js';
import { MongoModule } from '../../src/storage/mongo/mongo.module.js';
import { UNHURRIED } from '../engines.js';
import { NO_QUOTAS } from '../no-limits.js';
import { contradictionsIn } from './mongo-contradictions.js';
import { takeFailPoint } from './fail-point-turn.js';
import { QuotasModule } from './quotas.module.js';
import { type CreationStep, type Engine, type Kept, StoreUnderTest } from './store-under-test.js';

/** A failure that the server injects into commands of one client; see `failCommand` in its source. */
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

// OperationFailed: one that no driver retries.
const FOR_GOOD = { errorCode: 96 };

const WRITES = ['insert', 'update', 'findAndModify', 'delete'];

const COLLECTIONS: Record<Exclude<CreationStep, 'commit'>, string> = {
  client: 'clients',
  project: 'projects',
  license: 'licenses',
  event: 'license_events',
  idempotency: 'idempotency_records',
  totals: 'totals',
};

export class MongoUnderTest extends StoreUnderTest {
  private constructor(
    module: TestingModule,
    private readonly address: URL,
    private readonly deadline: Deadline,
  ) {
    super(module);
  }

  /** Opens an empty database of its own on a server. */
  static open(
    serverUri = process.env.TEST_MONGODB_URI,
    deadline: Deadline = UNHURRIED,
  ): Promise<MongoUnderTest> {
    const uri = new URL(String(serverUri));
    const name = `contract-${randomUUID()}`;
    uri.pathname = `/${name}`;
    // By this the server tells whose commands are to fail.
    uri.searchParams.set('appName', name);
    return MongoUnderTest.connect(uri, deadline);
  }

  /** One more instance of the service on the same database. */
  join(): Promise<MongoUnderTest> {
    return MongoUnderTest.connect(this.address, this.deadline);
  }

  /** One instance of the service on a database. */
  static async connect(uri: URL, deadline: Deadline = UNHURRIED): Promise<MongoUnderTest> {
    const imports = [QuotasModule.of({ ...NO_QUOTAS }), MongoModule.forRoot(uri.href)];
    const module = await Test.createTestingModule({ imports })
      .overrideProvider(Deadline)
      .useValue(deadline)
      .compile();
    return new MongoUnderTest(await module.init(), uri, deadline);
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

  /** What every statement of the ports goes through. */
  get mongo(): MongoStore {
    return this.module.get(MongoStore);
  }

  collection(name: string): mongo.Collection {
    return this.connection.getClient().db(this.name).collection(name);
  }

  async count(kept: Kept): Promise<number> {
    return this.collection(kept).countDocuments();
  }

  contradictions(): Promise<string[]> {
    return contradictionsIn((name) => this.collection(name).find().toArray());
  }

  /** Injects a failure, `times` times or until the returned function is called. */
  async inject(failure: Failure, times?: number): Promise<() => Promise<void>> {
    const client = this.connection.getClient();
    const configure = async (mode: unknown) => {
      const data = { appName: this.name, ...failure };
      const command = { configureFailPoint: 'failCommand', mode, ...(mode !== 'off' && { data }) };
      await client.db('admin').command(command);
    };
    const giveTurn = await takeFailPoint(client);
    await configure(times === undefined ? 'alwaysOn' : { times });
    return async () => {
      await configure('off');
      await giveTurn();
    };
  }

  /** The failure of every write of one step of `createWithFirstLicense`. */
  atStep(step: CreationStep, failure: Omit<Failure, 'failCommands'>): Failure {
    if (step === 'commit') return { failCommands: ['commitTransaction'], ...failure };
    return { failCommands: WRITES, namespace: `${this.name}.${COLLECTIONS[step]}`, ...failure };
  }

  failAt(step: CreationStep): Promise<() => Promise<void>> {
    return this.inject(this.atStep(step, FOR_GOOD));
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

export const mongodb: Engine = {
  name: 'MongoDB',
  creationSteps: ['client', 'project', 'license', 'event', 'idempotency', 'totals', 'commit'],
  open: () => MongoUnderTest.open(),
};
