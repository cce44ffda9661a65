import { randomUUID } from 'node:crypto';
import { Global, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, mongo } from 'mongoose';
import { pino } from 'pino';
import { Metrics, NO_METRICS } from '../../src/metrics/metrics.js';
import { MemoryRateLimits } from '../../src/limits/memory-rate-limits.js';
import { RateLimits } from '../../src/limits/rate-limits.js';
import { StoreLog } from '../../src/shared/logging/store-log.js';
import { Deadline } from '../../src/shared/request-context.js';
import { DataKeys } from '../../src/shared/sealing/data-keys.js';
import { Clock } from '../../src/shared/time/clock.js';
import type { AnyCollection } from '../../src/storage/collection.js';
import { MongoStore } from '../../src/storage/mongo/mongo-store.js';
import { MongoModule } from '../../src/storage/mongo/mongo.module.js';
import type { OpenMode } from '../../src/storage/store.js';
import { UNHURRIED } from '../engines.js';
import { FakeClock } from '../fake-clock.js';
import type { StoreUnderTest } from './engines.js';
import { COLLECTIONS } from './records.js';

/** The clock of every instance. */
export const CLOCK = new FakeClock();

const PROVIDERS = [
  { provide: Clock, useValue: CLOCK },
  { provide: Metrics, useValue: NO_METRICS },
  { provide: DataKeys, useValue: new DataKeys(Buffer.alloc(96, 1)) },
  { provide: StoreLog, useValue: new StoreLog(pino({ level: 'silent' })) },
  { provide: MemoryRateLimits, useFactory: () => new MemoryRateLimits(CLOCK) },
];

/** The application's providers that the engines need. */
@Global()
@Module({ providers: PROVIDERS, exports: PROVIDERS.map(({ provide }) => provide) })
class SharedModule {}

interface Options {
  readonly collections?: readonly AnyCollection[] | undefined;
  readonly mode?: OpenMode;
}

/** An instance of the service, or a tool, on a database. */
export class MongoUnderTest implements StoreUnderTest {
  private control: mongo.MongoClient | undefined;
  readonly store = this.module.get(MongoStore);
  readonly rateLimits = this.module.get(RateLimits);
  readonly client = this.module.get<Connection>(getConnectionToken()).getClient();
  readonly name = this.uri.pathname.slice(1);

  private constructor(
    private readonly module: TestingModule,
    readonly uri: URL,
    private readonly isFirst: boolean,
  ) {}

  /** Opens a new database on a server. */
  static open(
    collections?: readonly AnyCollection[],
    serverUri = process.env.TEST_MONGODB_URI,
  ): Promise<MongoUnderTest> {
    const uri = new URL(String(serverUri));
    const name = `contract-${randomUUID()}`;
    uri.pathname = `/${name}`;
    // Failures are injected only into this client's commands.
    uri.searchParams.set('appName', name);
    // Some tests count this client's commands.
    uri.searchParams.set('monitorCommands', 'true');
    return this.connect(uri, { collections }, true);
  }

  static async connect(
    uri: URL,
    { collections = COLLECTIONS, mode = 'service' }: Options = {},
    isFirst = false,
  ): Promise<MongoUnderTest> {
    const imports = [SharedModule, MongoModule.forRoot(uri.href, collections, mode)];
    const module = await Test.createTestingModule({ imports })
      .overrideProvider(Deadline)
      .useValue(UNHURRIED)
      .compile();
    return new this(await module.init(), uri, isFirst);
  }

  join(): Promise<MongoUnderTest> {
    return MongoUnderTest.connect(this.uri);
  }

  async reopen(collections: readonly AnyCollection[]): Promise<MongoUnderTest> {
    await this.leave();
    return MongoUnderTest.connect(this.uri, { collections }, this.isFirst);
  }

  collection(name: string): mongo.Collection {
    return this.client.db().collection(name);
  }

  /** Runs work while commands of this client fail. A server has only one such fail point. */
  async whileInjecting<T>(failure: Failure, work: () => Promise<T>, mode: Which = 'alwaysOn') {
    const uri = new URL(this.uri);
    // The failures close connections, which could interrupt a command of their own client.
    uri.searchParams.delete('appName');
    const control = (this.control ??= new mongo.MongoClient(uri.href));
    const configure = (fields: object) =>
      control.db('admin').command({ configureFailPoint: 'failCommand', ...fields });
    try {
      await configure({ mode, data: { appName: this.name, ...failure } });
      return await work();
    } finally {
      await configure({ mode: 'off' });
    }
  }

  async close(): Promise<void> {
    try {
      if (this.isFirst) await this.client.db().dropDatabase();
    } finally {
      await this.leave();
    }
  }

  /** Closes the connection and keeps the database. */
  async leave(): Promise<void> {
    await this.control?.close();
    await this.module.close();
  }
}

/** A failure injected into commands of one client: the data of the fail point `failCommand`. */
interface Failure {
  readonly failCommands: string[];
  readonly [field: string]: unknown;
}

/** Every command, the first `times` commands, or every command after the first `skip`. */
type Which = 'alwaysOn' | { times: number } | { skip: number };
