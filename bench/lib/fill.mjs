import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { getConnectionToken } from '@nestjs/mongoose';
import { CliModule } from '../../build/cli/with-store.js';
import { loadConfig } from '../../build/shared/config/load-config.js';
import { createLogger } from '../../build/shared/logging/logger.js';
import { DataKeys } from '../../build/shared/sealing/data-keys.js';
import { newVersion } from '../../build/storage/changes.js';
import { Codec as MongoCodec } from '../../build/storage/mongo/documents/codec.js';
import { Codec as SqliteCodec } from '../../build/storage/sqlite/codec.js';
import { Store } from '../../build/storage/store.js';
import { World } from './world.mjs';

/** A store that is filled. */
export class Fill {
  #context;
  #target;
  #passwordHash;

  /**
   * Opens the store that an environment configures, and creates it if it is missing. A SQLite store must be open nowhere
   * else.
   *
   * @param {string} [passwordHash] of every account
   */
  static async open(env, passwordHash = 'none') {
    const fill = new Fill();
    const config = loadConfig(env);
    const module = CliModule.forRoot(config, createLogger({ logLevel: 'silent' }, process.stderr));
    fill.#context = await NestFactory.createApplicationContext(module, { logger: false });
    fill.#passwordHash = passwordHash;
    fill.#target = config.mongodbUri
      ? mongoTarget(fill.#context.get(getConnectionToken()))
      : sqliteTarget(fill.#context.get(Store).database);
    fill.world = new World(config, fill.#context.get(DataKeys));
    return fill;
  }

  /**
   * Stores an account with all its records.
   *
   * @param {object[]} sizes see {@link World.makeAccount}
   * @returns its id and e-mail address, the ids of its clients and projects, and its keys
   */
  async add(...sizes) {
    const { records, keys } = this.world.makeAccount(this.#passwordHash, sizes);
    const of = {};
    for (const [collection, all] of records) {
      of[collection.name] = all;
      if (all.length > 0) await this.#target.insert(collection, all);
    }
    const [{ _id, email }] = of.users;
    const [clients, projects] = [of.clients, of.projects].map((all) => all.map(({ _id }) => _id));
    return { _id, email, clients, projects, keys };
  }

  /** Stores this many accounts of the same sizes. */
  async addAll(count, ...sizes) {
    const accounts = [];
    while (accounts.length < count) accounts.push(await this.add(...sizes));
    return accounts;
  }

  /** Completes and closes the store. */
  async end() {
    await this.#target.end();
    await this.#context.close();
  }
}

function sqliteTarget(database) {
  // Building the indexes once is much faster than updating them for a million rows.
  const indexes = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    .all();
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -500000; BEGIN IMMEDIATE');
  indexes.forEach(({ name }) => database.exec(`DROP INDEX ${name}`));
  return {
    /** By one statement, as a call for each record takes longer than its insertion. */
    insert(collection, records) {
      const codec = new SqliteCodec(collection);
      const rows = records.map((record) => codec.encode({ ...record, version: newVersion() }));
      const values = codec.columns.map((_, index) => `value ->> ${index}`);
      const into = `INSERT INTO ${collection.name} (${codec.columnList})`;
      database.prepare(`${into} SELECT ${values} FROM json_each(?)`).run(JSON.stringify(rows));
    },
    end() {
      indexes.forEach(({ sql }) => database.exec(sql));
      database.exec('COMMIT');
    },
  };
}

const mongoTarget = (connection) => ({
  async insert(collection, records) {
    const codec = new MongoCodec(collection);
    const documents = records.map((record) => codec.encode(record, newVersion()));
    await connection.collection(collection.name).insertMany(documents, { ordered: false });
  },
  end: () => undefined,
});
