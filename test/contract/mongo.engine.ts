import { randomUUID } from 'node:crypto';
import { getConnectionToken } from '@nestjs/mongoose';
import { Test, type TestingModule } from '@nestjs/testing';
import { type Connection, mongo } from 'mongoose';
import { RateLimitWindows } from '../../src/rate-limits/rate-limit-windows.js';
import { Deadline } from '../../src/shared/request-context.js';
import type { AnyCollection } from '../../src/storage/collection.js';
import { MongoStore } from '../../src/storage/mongo/mongo-store.js';
import { MongoModule } from '../../src/storage/mongo/mongo.module.js';
import type { OpenMode } from '../../src/storage/open-mode.js';
import { UNHURRIED } from '../engines.js';
import { COLLECTIONS } from './records.js';
import { SharedModule } from './shared.module.js';
import type { Engine, StoreUnderTest } from './store-under-test.js';
import { type Failure, whileFailing, type Which } from './while-failing.js';

interface Options {
  readonly collections?: readonly AnyCollection[];
  readonly deadline?: Deadline;
  readonly mode?: OpenMode;
}

export class MongoUnderTest implements StoreUnderTest {
  private control: Promise<mongo.MongoClient> | undefined;

  private constructor(
    private readonly module: TestingModule,
    private readonly address: URL,
    private readonly options: Options,
    private readonly isFirst: boolean,
  ) {}

  /** Opens a new database on a server. */
  static open(
    options: Options = {},
    serverUri = process.env.TEST_MONGODB_URI,
  ): Promise<MongoUnderTest> {
    const uri = new URL(String(serverUri));
    const name = `contract-${randomUUID()}`;
    uri.pathname = `/${name}`;
    // Failures are injected into the commands of this client alone.
    uri.searchParams.set('appName', name);
    // Some tests count its commands.
    uri.searchParams.set('monitorCommands', 'true');
    return this.connect(uri, options, true);
  }

  /** One instance of the service, or a tool, on a database. */
  static async connect(uri: URL, options: Options = {}, isFirst = false): Promise<MongoUnderTest> {
    const { collections = COLLECTIONS, deadline = UNHURRIED, mode = 'service' } = options;
    const imports = [SharedModule, MongoModule.forRoot(uri.href, collections, mode)];
    const module = await Test.createTestingModule({ imports })
      .overrideProvider(Deadline)
      .useValue(deadline)
      .compile();
    return new this(await module.init(), uri, options, isFirst);
  }

  get store(): MongoStore {
    return this.module.get(MongoStore);
  }

  get rateLimits(): RateLimitWindows {
    return this.module.get(RateLimitWindows);
  }

  get connection(): Connection {
    return this.module.get(getConnectionToken());
  }

  get uri(): string {
    return this.address.href;
  }

  get name(): string {
    return this.address.pathname.slice(1);
  }

  /** The failures close connections: a command on a client of theirs could be interrupted. */
  private connectControl(): Promise<mongo.MongoClient> {
    const uri = new URL(this.address);
    uri.searchParams.delete('appName');
    return (this.control ??= new mongo.MongoClient(uri.href).connect());
  }

  join(): Promise<MongoUnderTest> {
    return MongoUnderTest.connect(this.address, this.options);
  }

  async reopen(collections: readonly AnyCollection[]): Promise<MongoUnderTest> {
    await this.leave();
    return MongoUnderTest.connect(this.address, { ...this.options, collections }, this.isFirst);
  }

  collection(name: string): mongo.Collection {
    return this.connection.getClient().db(this.name).collection(name);
  }

  /** As {@link whileFailing}, of commands of this client. */
  async whileInjecting<T>(failure: Failure, work: () => Promise<T>, which: Which = 'alwaysOn') {
    return whileFailing(await this.connectControl(), this.name, failure, which, work);
  }

  async close(): Promise<void> {
    try {
      if (this.isFirst) await this.connection.dropDatabase();
    } finally {
      await this.leave();
    }
  }

  /** Closes the connection and leaves the database as it is. */
  async leave(): Promise<void> {
    await (await this.control)?.close();
    await this.module.close();
  }
}

export const mongodb: Engine = {
  name: 'MongoDB',
  instances: [1, 3],
  open: (collections = COLLECTIONS) => MongoUnderTest.open({ collections }),
};
