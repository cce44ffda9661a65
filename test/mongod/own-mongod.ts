import { once } from 'node:events';
import { MongoMemoryReplSet } from 'mongodb-memory-server-core';

const PARAMETERS = [
  // Tests make commands fail on purpose with failCommand.
  'enableTestCommands=1',
  // The clock of the tests stands still in the past, so that the server would delete what has a TTL index.
  'ttlMonitorEnabled=false',
  // Otherwise it writes metrics each second.
  'diagnosticDataCollectionEnabled=false',
];

/** A replica set of one member, which its owner may stop, kill or lock. */
export class OwnMongod {
  private constructor(private readonly servers: MongoMemoryReplSet) {}

  static async start(): Promise<OwnMongod> {
    const servers = await MongoMemoryReplSet.create({
      replSet: {
        count: 1,
        storageEngine: 'wiredTiger',
        // A killed mongod would leave its socket file behind.
        args: ['--nounixsocket', ...PARAMETERS.flatMap((set) => ['--setParameter', set])],
      },
      instanceOpts: [{ launchTimeout: 60_000 }],
    });
    return new OwnMongod(servers);
  }

  /** The URI without a database. */
  get uri(): string {
    return this.servers.getUri();
  }

  signal(name: NodeJS.Signals): void {
    this.member?.kill(name);
  }

  /** Kills it, as a graceful shutdown takes a second, and removes its data. */
  async stop(): Promise<void> {
    const { member } = this;
    if (member?.exitCode === null && member.signalCode === null) {
      const exit = once(member, 'exit');
      member.kill('SIGKILL');
      await exit;
    }
    await this.servers.stop({ doCleanup: true, force: true });
  }

  private get member() {
    return this.servers.servers[0]?.instanceInfo?.instance.mongodProcess;
  }
}
