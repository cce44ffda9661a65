import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import mongoose from 'mongoose';
import { Fill } from './fill.mjs';
import { LIMITS_OFF, Service } from './service.mjs';

/** Instances of the service on one database of MongoDB. */
export class MongoWorld {
  #services;
  #client;

  /**
   * @param {string} folder of the instances' logs
   * @param {string} uri of the server
   * @param {string} name of the database, which is new
   * @param {number} instances
   * @param {(store: Fill) => Promise<object>} fill fills the store before the instances start; `filled` is what it returns
   * @param {object} [env] more variables of the instances
   */
  static async open(folder, uri, name, instances, fill, env = {}) {
    const at = path.join(folder, name);
    fs.mkdirSync(at);
    const database = new URL(uri);
    database.pathname = `/${name}`;
    const secrets = { JWT_SECRET: secret(), LICENSE_SECRET: secret() };
    const mongo = new MongoWorld();
    mongo.env = { ...LIMITS_OFF, ...secrets, MONGODB_URI: database.href, ...env };
    const store = await Fill.open(mongo.env);
    mongo.world = store.world;
    mongo.filled = await fill(store);
    await store.end();
    mongo.#services = Array.from({ length: instances }, () => new Service(at, mongo.env));
    mongo.urls = await Promise.all(mongo.#services.map((service) => service.listening()));
    mongo.#client = await mongoose.mongo.MongoClient.connect(database.href);
    return mongo;
  }

  /**
   * Processor time of the server and of the first instance so far, in microseconds, and the server's statements: queries,
   * and commands such as `findAndModify`.
   */
  async used() {
    const { extra_info: cpu, opcounters } = await this.#client.db().command({ serverStatus: 1 });
    const mongod = Number(cpu.user_time_us) + Number(cpu.system_time_us);
    const statements = Number(opcounters.query) + Number(opcounters.command);
    return { mongod, instance: this.#services[0].cpu(), statements };
  }

  /** The server's `collStats` of a collection, once its records are on the disk. */
  async statsOf(collection) {
    await this.#client.db('admin').command({ fsync: 1 });
    return this.#client.db().command({ collStats: collection });
  }

  async close() {
    await this.#client.close();
    await Promise.all(this.#services.map((service) => service.end()));
  }
}

const secret = () => randomBytes(48).toString('base64url');
