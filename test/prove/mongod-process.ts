import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import mongoose, { type mongo } from 'mongoose';

/** The name of the replica set. */
export const REPLICA_SET = 'proof';

/** Longest wait for a mongod that starts, in milliseconds. */
const START_TIMEOUT = 30_000;

const OPTIONS = ['--bind_ip', '127.0.0.1', '--nounixsocket', '--wiredTigerCacheSizeGB', '0.5'];
/** Tests make commands fail on purpose; otherwise metrics are written each second. */
const PARAMETERS = ['enableTestCommands=1', 'diagnosticDataCollectionEnabled=false'];

/** A member of a replica set that can be killed, and restarted on the same files. */
export class MongodProcess {
  private process: ChildProcess | undefined;
  private readonly client: mongo.MongoClient;

  constructor(
    private readonly folder: string,
    readonly port: number,
  ) {
    fs.mkdirSync(folder);
    this.client = new mongoose.mongo.MongoClient(`${this.uri}/?directConnection=true`, {
      serverSelectionTimeoutMS: START_TIMEOUT,
      heartbeatFrequencyMS: 500,
    });
  }

  private get uri(): string {
    return `mongodb://127.0.0.1:${this.port}`;
  }

  /** The file of its log. */
  get log(): string {
    return path.join(this.folder, 'mongod.log');
  }

  /** Starts it, and waits until it responds. */
  async start(): Promise<void> {
    const set = PARAMETERS.flatMap((parameter) => ['--setParameter', parameter]);
    const files = ['--dbpath', this.folder, '--logpath', this.log, '--logappend'];
    const options = ['--port', String(this.port), '--replSet', REPLICA_SET, ...files];
    this.process = spawn(String(process.env.TEST_MONGOD), [...options, ...OPTIONS, ...set], {
      stdio: 'ignore',
    });
    // The first command after a kill may be sent on a connection to the killed process.
    await this.command({ ping: 1 }).catch(() => this.command({ ping: 1 }));
  }

  signal(name: NodeJS.Signals): void {
    this.process?.kill(name);
  }

  async kill(): Promise<void> {
    if (this.process?.exitCode !== null || this.process.signalCode !== null) return;
    const exit = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await exit;
  }

  /** Runs a command of an administrator on this member, whatever its state. */
  command(command: mongo.Document): Promise<mongo.Document> {
    return this.client.db('admin').command(command);
  }

  /** Forgets the connections to it, and kills it. Its owner removes its folder. */
  async end(): Promise<void> {
    // First: the driver takes leave of the server, and waits for one that was killed.
    await this.client.close();
    await this.kill();
  }
}
