import { once } from 'node:events';
import fs from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { MongoMemoryReplSet, type MongoMemoryServer } from 'mongodb-memory-server-core';
import { mongo } from 'mongoose';

/** Maximum time for a mongod to start, in milliseconds. */
const START_TIMEOUT = 60_000;

const PARAMETERS = [
  // Tests make commands fail on purpose with failCommand.
  'enableTestCommands=1',
  // The tests' clock stands still in the past, so the server would delete everything with a TTL index.
  'ttlMonitorEnabled=false',
  // Otherwise it writes metrics every second.
  'diagnosticDataCollectionEnabled=false',
];

interface Options {
  /** Per member: a restarted member needs its own again. */
  readonly ports?: readonly number[];
  /** Configuration settings, such as `electionTimeoutMillis`. */
  readonly configSettings?: object;
  readonly args?: readonly string[];
}

/** A replica set, by default with one member, whose owner can stop, kill and restart members. */
export class ReplicaSet {
  readonly members: readonly Member[];

  private constructor(private readonly set: MongoMemoryReplSet) {
    this.members = set.servers.map((server) => new Member(server));
  }

  static async start({ ports, configSettings = {}, args = [] }: Options = {}): Promise<ReplicaSet> {
    const launchTimeout = START_TIMEOUT;
    const set = await MongoMemoryReplSet.create({
      replSet: {
        ...{ count: 1, storageEngine: 'wiredTiger', configSettings },
        // A killed mongod would leave its socket file behind.
        args: ['--nounixsocket', ...PARAMETERS.flatMap((set) => ['--setParameter', set]), ...args],
      },
      instanceOpts: ports?.map((port) => ({ port, launchTimeout })) ?? [{ launchTimeout }],
    });
    return new ReplicaSet(set);
  }

  uri(database = ''): string {
    return this.set.getUri(database);
  }

  /** Waits for a primary. The members must respond, except one that is being killed. */
  async primary(except?: Member): Promise<Member> {
    for (;;) {
      for (const member of this.members.filter((each) => each !== except)) {
        if ((await member.command({ hello: 1 })).isWritablePrimary === true) return member;
      }
      await setTimeout(20);
    }
  }

  /** Kills it, because a graceful shutdown takes a second, and removes its data. */
  async remove(): Promise<void> {
    await Promise.all(this.members.map((member) => member.end()));
    await this.set.stop({ doCleanup: true, force: true });
  }
}

/** A member of a replica set that can be killed and restarted on the same files. */
export class Member {
  private readonly client: mongo.MongoClient;

  constructor(private readonly server: MongoMemoryServer) {
    this.client = new mongo.MongoClient(server.getUri(), {
      directConnection: true,
      serverSelectionTimeoutMS: START_TIMEOUT,
      heartbeatFrequencyMS: 500,
    });
  }

  get process() {
    return this.server.instanceInfo?.instance.mongodProcess;
  }

  /** Starts it again, and waits until it responds. */
  async start(): Promise<void> {
    await this.server.start(true);
    // The first command after a kill may use a connection to the killed process.
    await this.command({ ping: 1 }).catch(() => this.command({ ping: 1 }));
  }

  /** Lets it hang until {@link resume}. On a busy machine, its threads run on for a moment after the signal. */
  async hang(): Promise<void> {
    this.process!.kill('SIGSTOP');
    const threads = `/proc/${this.process!.pid}/task`;
    const isStopped = (thread: string) =>
      /^State:\s+T/m.test(fs.readFileSync(`${threads}/${thread}/status`, 'utf8'));
    // Only Linux tells.
    while (fs.existsSync(threads) && !fs.readdirSync(threads).every(isStopped)) await setTimeout(1);
  }

  resume(): void {
    this.process!.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    const { process } = this;
    if (process?.exitCode === null && process.signalCode === null) {
      const exit = once(process, 'exit');
      process.kill('SIGKILL');
      await exit;
    }
    await this.server.stop({ doCleanup: false, force: false });
  }

  /** Runs an admin command on this member, whatever its state. */
  command(command: mongo.Document): Promise<mongo.Document> {
    return this.client.db('admin').command(command);
  }

  /** Drops the connections to it, and kills it. */
  async end(): Promise<void> {
    // First, because the driver says goodbye to the server, and would wait for a killed one.
    await this.client.close();
    await this.kill();
  }
}
