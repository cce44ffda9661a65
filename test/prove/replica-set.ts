import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../free-port.js';
import { MongodProcess, REPLICA_SET } from './mongod-process.js';

/** A replica set whose members can be killed, and restarted on the same files. */
export class ReplicaSet {
  private constructor(
    private readonly folder: string,
    readonly members: readonly MongodProcess[],
  ) {}

  /** @param settings of the replica set's configuration, such as `electionTimeoutMillis` */
  static async start(size: number, settings: object = {}): Promise<ReplicaSet> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'license-mongod-'));
    const members: MongodProcess[] = [];
    while (members.length < size) {
      const port = await freePort('127.0.0.1');
      members.push(new MongodProcess(path.join(folder, String(members.length)), port));
    }
    const set = new ReplicaSet(folder, members);
    await Promise.all(members.map((member) => member.start()));
    const hosts = members.map(({ port }, _id) => ({ _id, host: `127.0.0.1:${port}` }));
    await members[0]!.command({ replSetInitiate: { _id: REPLICA_SET, members: hosts, settings } });
    await set.primary();
    return set;
  }

  uri(database: string): string {
    const hosts = this.members.map(({ port }) => `127.0.0.1:${port}`);
    return `mongodb://${hosts.join()}/${database}?replicaSet=${REPLICA_SET}`;
  }

  /** Waits for a primary. The members must respond, but for one that is being killed. */
  async primary(except?: MongodProcess): Promise<MongodProcess> {
    for (;;) {
      for (const member of this.members.filter((each) => each !== except)) {
        if ((await member.command({ hello: 1 })).isWritablePrimary === true) return member;
      }
      await setTimeout(20);
    }
  }

  async remove(): Promise<void> {
    await Promise.all(this.members.map((member) => member.end()));
    fs.rmSync(this.folder, { recursive: true });
  }
}
