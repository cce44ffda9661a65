import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import mongoose from 'mongoose';
import { freePort } from '../../free-port.js';

/** A replica set of one member that can be killed, and restarted on the same files. */
export class KillableMongod {
  private readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'license-mongod-'));
  private process: ChildProcess | undefined;

  private constructor(private readonly port: number) {}

  static async start(): Promise<KillableMongod> {
    const mongod = new KillableMongod(await freePort('127.0.0.1'));
    await mongod.spawn();
    const members = [{ _id: 0, host: `127.0.0.1:${mongod.port}` }];
    await mongod.admin((admin) => admin.command({ replSetInitiate: { _id: 'proof', members } }));
    await mongod.untilPrimary();
    return mongod;
  }

  uri(database: string): string {
    return `mongodb://127.0.0.1:${this.port}/${database}?replicaSet=proof`;
  }

  async killAndRestart(): Promise<void> {
    await this.kill();
    await this.spawn();
    await this.untilPrimary();
  }

  async remove(): Promise<void> {
    await this.kill();
    fs.rmSync(this.folder, { recursive: true });
  }

  private async kill(): Promise<void> {
    const exit = once(this.process!, 'exit');
    this.process!.kill('SIGKILL');
    await exit;
  }

  private async spawn(): Promise<void> {
    const options = ['--dbpath', this.folder, '--port', String(this.port), '--replSet', 'proof'];
    const quiet = ['--bind_ip', '127.0.0.1', '--nounixsocket', '--wiredTigerCacheSizeGB', '0.5'];
    this.process = spawn(String(process.env.TEST_MONGOD), [...options, ...quiet], {
      stdio: 'ignore',
    });
    await this.admin((admin) => admin.command({ ping: 1 }));
  }

  private async untilPrimary(): Promise<void> {
    const isPrimary = () =>
      this.admin(async (admin) => (await admin.command({ hello: 1 })).isWritablePrimary === true);
    while (!(await isPrimary())) await setTimeout(50);
  }

  private async admin<T>(run: (admin: mongoose.mongo.Db) => Promise<T>): Promise<T> {
    const uri = `mongodb://127.0.0.1:${this.port}/?directConnection=true`;
    const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: 30_000 });
    try {
      return await run(client.db('admin'));
    } finally {
      await client.close();
    }
  }
}
