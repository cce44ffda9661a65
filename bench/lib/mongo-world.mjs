import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import mongoose from 'mongoose';
import 'reflect-metadata';
import { loadConfig } from '../../dist/shared/config/load-config.js';
import { loadDataKeys } from '../../dist/shared/sealing/data-keys.js';
import { toClientRecord } from '../../dist/storage/mongo/schemas/client.schema.js';
import { toLicenseRecord } from '../../dist/storage/mongo/schemas/license.schema.js';
import { toProjectRecord } from '../../dist/storage/mongo/schemas/project.schema.js';
import { LIMITS_OFF, Service } from './service.mjs';
import { World } from './world.mjs';

/** Instances of the service on one database of MongoDB, which a benchmark may fill. */
export class MongoWorld {
  #services;
  #client;

  /** @param {string} uri of the server */
  static async open(folder, uri, name, instances) {
    const at = path.join(folder, name);
    fs.mkdirSync(at);
    const database = new URL(uri);
    database.pathname = `/${name}`;
    const env = { ...LIMITS_OFF, JWT_SECRET: secret(), LICENSE_SECRET: secret() };
    const world = new MongoWorld({ ...env, MONGODB_URI: database.href });
    world.#services = Array.from({ length: instances }, () => new Service(at, world.env));
    world.urls = await Promise.all(world.#services.map((service) => service.listening()));
    await world.#connect();
    return world;
  }

  constructor(env) {
    this.env = env;
  }

  async #connect() {
    this.#client = await new mongoose.mongo.MongoClient(this.env.MONGODB_URI).connect();
    const deployment = this.#client.db().collection('deployment');
    const find = async (item) => (await deployment.findOne({ _id: item })).value;
    const config = loadConfig(this.env);
    this.world = new World(config, await loadDataKeys({ find }, config));
  }

  /**
   * Stores a user's records but for the user and the totals.
   *
   * @param {object} size see {@link World.makeUser}
   */
  async insertUser(size) {
    const made = this.world.makeUser(size);
    const insert = (name, records) => this.#client.db().collection(name).insertMany(records);
    await insert('clients', made.clients.map(toClientRecord));
    await insert('projects', made.projects.map(toProjectRecord));
    const records = made.licenses.map((license, index) =>
      toLicenseRecord(license, made.events[index]),
    );
    await insert('licenses', records);
    return made;
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
