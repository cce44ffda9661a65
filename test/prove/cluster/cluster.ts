import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { contradictionsIn } from '../../contradictions.js';
import { SECRETS } from '../../engines.js';
import { freePort } from '../../free-port.js';
import { HttpCaller } from '../../http-caller.js';
import { ReplicaSet } from '../../mongod/replica-set.js';
import { AppendingProxy } from '../../nginx/appending-proxy.js';
import { nginx } from '../../nginx/nginx.js';
import { NO_LIMITS } from '../../no-limits.js';
import { Operator, type RunningService } from '../../smoke/operator.js';
import { withStore } from '../../with-store.js';
import { times } from '../prove.js';

/** The name of the instances' connections; failures are injected only into their commands. */
export const APP_NAME = 'license-service';

const INSTANCES = times({ short: 2, long: 4 });
const MEMBERS = 3;

/** MongoDB's default in the long form. */
const ELECTION = { electionTimeoutMillis: times({ short: 2_000, long: 10_000 }) };

/** nginx, and the webhook receivers. */
const LOOPBACK = { TRUSTED_PROXIES: '127.0.0.1', WEBHOOK_NETWORKS: '127.0.0.1' };

/** Instances of the built service behind nginx, on one database of a replica set. */
export class Cluster {
  private constructor(
    readonly replicaSet: ReplicaSet,
    private readonly uri: string,
    private readonly operator: Operator,
    readonly instances: RunningService[],
    private readonly proxy: AppendingProxy,
    /** Calls the service through nginx. */
    readonly service: HttpCaller,
  ) {}

  static async start(): Promise<Cluster> {
    if (nginx === undefined) throw new Error('The proofs on a cluster need nginx on the PATH.');
    const ports = await Promise.all(Array.from({ length: MEMBERS }, () => freePort('127.0.0.1')));
    const args = ['--wiredTigerCacheSizeGB', '0.5'];
    const replicaSet = await ReplicaSet.start({ ports, configSettings: ELECTION, args });
    const uri = `${replicaSet.uri(`cluster-${randomUUID()}`)}&appName=${APP_NAME}`;
    const common = { ...SECRETS, ...LOOPBACK, LOG_LEVEL: 'warn', ...NO_LIMITS, MONGODB_URI: uri };
    const operator = new Operator(common, 'service.log');
    try {
      const starting = Array.from({ length: INSTANCES }, () => operator.start());
      const instances = await Promise.all(starting);
      const proxy = await AppendingProxy.start(nginx, ...instances.map(({ url }) => url));
      return new Cluster(replicaSet, uri, operator, instances, proxy, new HttpCaller(proxy.url));
    } catch (error) {
      await operator.leave();
      await replicaSet.remove();
      throw error;
    }
  }

  /** Ends an instance and restarts it on its port, with additional variables. */
  async restart(
    index: number,
    signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM',
    env: NodeJS.ProcessEnv = {},
  ): Promise<void> {
    const instance = this.instances[index]!;
    const { code } = await instance.end(signal);
    if (signal === 'SIGTERM' && code !== 0) throw new Error(`The instance ended with ${code}.`);
    const { port } = new URL(instance.url);
    this.instances[index] = await this.operator.start({ ...env, PORT: port });
    await untilReady(this.instances[index]);
  }

  async untilReady(): Promise<void> {
    await Promise.all(this.instances.map(untilReady));
  }

  contradictions(): Promise<string[]> {
    const MONGODB_URI = this.uri.replace(APP_NAME, 'proof');
    return withStore({ ...SECRETS, MONGODB_URI }, contradictionsIn);
  }

  async leave(): Promise<void> {
    await this.proxy.stop();
    await this.operator.leave();
    await this.replicaSet.remove();
  }
}

async function untilReady(instance: HttpCaller): Promise<void> {
  while ((await instance.get('/health/ready')).status !== 200) await setTimeout(50);
}
