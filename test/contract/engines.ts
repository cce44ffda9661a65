import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { AnyCollection } from '../../src/storage/collection.js';
import { SqliteStore } from '../../src/storage/sqlite/sqlite-store.js';
import type { WritableStore } from '../../src/storage/writable-store.js';
import { ModelStore } from './model-store.js';
import { MongoUnderTest } from './mongo-under-test.js';
import { COLLECTIONS } from './records.js';

/** A store opened by a test. */
export interface StoreUnderTest {
  readonly store: WritableStore;
  /** Another instance of the service on the same store; on SQLite, a command that runs next to the service. */
  join(): Promise<StoreUnderTest>;
  /** Closes it, and opens it as a program that declares these collections. */
  reopen(collections: readonly AnyCollection[]): Promise<StoreUnderTest>;
  /** Closes it, and removes its records if this is the only instance. */
  close(): Promise<void>;
}

/** A store under contract: an engine, or the model. */
export interface Engine {
  readonly name: string;
  /** How many instances can share a store. */
  readonly instances: readonly number[];
  /** Opens a new, empty store, by default with the test collections. */
  readonly open: (collections?: readonly AnyCollection[]) => Promise<StoreUnderTest>;
}

/** Opens a SQLite store in a new folder, or an existing one. */
export function openSqlite(
  collections: readonly AnyCollection[] = COLLECTIONS,
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'license-store-')),
) {
  const store = SqliteStore.open(dataDir, collections);
  const opened: StoreUnderTest = {
    store,
    join: async () => {
      const command = SqliteStore.open(dataDir, collections, 'command');
      return { ...opened, store: command, close: () => command.close() };
    },
    reopen: async (declared) => {
      await store.close();
      return openSqlite(declared, dataDir);
    },
    close: async () => {
      await store.close();
      fs.rmSync(dataDir, { recursive: true });
    },
  };
  return { ...opened, store, dataDir };
}

const model: Engine = {
  name: 'the model',
  instances: [1],
  open: async () => {
    const itself = async () => opened;
    const opened: StoreUnderTest = {
      ...{ store: new ModelStore(), join: itself, reopen: itself },
      close: async () => undefined,
    };
    return opened;
  },
};

const sqlite: Engine = {
  name: 'SQLite',
  instances: [1, 2],
  open: async (collections) => openSqlite(collections),
};

export const mongodb: Engine = {
  name: 'MongoDB',
  instances: [1, 3],
  open: (collections) => MongoUnderTest.open(collections),
};

/** The engines tested in every scope; MongoDB only if a mongod was found. */
export const engines: Engine[] = process.env.TEST_MONGODB_URI ? [sqlite, mongodb] : [sqlite];

/** The engines, and the model that specifies them. */
export const stores: Engine[] = [model, ...engines];
