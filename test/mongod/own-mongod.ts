import { MongoMemoryReplSet } from 'mongodb-memory-server-core';

/** A replica set of one member for one suite: to be stopped, killed or locked without harm to others. */
export class OwnMongod {
  private constructor(private readonly servers: MongoMemoryReplSet) {}

  static async start(): Promise<OwnMongod> {
    const servers = await MongoMemoryReplSet.create({
      replSet: {
        count: 1,
        storageEngine: 'wiredTiger',
        args: ['--setParameter', 'enableTestCommands=1', '--nounixsocket'],
      },
      instanceOpts: [{ launchTimeout: 60_000 }],
    });
    return new OwnMongod(servers);
  }

  /** Without the name of a database. */
  get uri(): string {
    return this.servers.getUri();
  }

  signal(name: NodeJS.Signals): void {
    this.servers.servers[0]?.instanceInfo?.instance.mongodProcess?.kill(name);
  }

  async stop(): Promise<void> {
    await this.servers.stop({ doCleanup: true, force: true });
  }
}
