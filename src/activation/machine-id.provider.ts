import { createHmac } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { atMost } from '../shared/bounded-cache.js';
import { Config } from '../shared/config/config.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { DeploymentRepository } from '../shared/sealing/deployment.repository.js';
import { readMachineIdentity } from './machine-identity.js';

/** How many machine ids are remembered; about 300 bytes each. */
const REMEMBERED = 20_000;

/** Derives the hashed machine ids that licenses are bound to (specification, section 3). */
@Injectable()
export class MachineIdProvider implements OnModuleInit {
  private serviceIdentity = '';
  /** Shipped software validates from the same machines again and again. */
  private readonly machineIds = new LRUCache<string, string>({
    ...atMost(REMEMBERED),
    memoMethod: (machine) =>
      createHmac('sha256', this.dataKeys.machine).update(machine).digest('hex'),
  });

  constructor(
    private readonly config: Config,
    private readonly deployment: DeploymentRepository,
    private readonly dataKeys: DataKeys,
  ) {}

  /** Settles the identity of the service's own machine, once: all instances of a deployment agree on it. */
  async onModuleInit(): Promise<void> {
    this.serviceIdentity = this.config.machineId ?? (await this.keptIdentity());
  }

  /**
   * The machine id of a request: HMAC-SHA256 in hexadecimal, different for each project.
   *
   * @param fingerprint names the machine that called; without it the machine is the service's own
   */
  machineIdFor(project: string, fingerprint?: string): string {
    const identity =
      fingerprint === undefined
        ? `service\n${this.serviceIdentity}`
        : `fingerprint\n${fingerprint}`;
    return this.machineIds.memo(`${project}\n${identity}`);
  }

  private async keptIdentity(): Promise<string> {
    return (
      (await this.deployment.find('machine-identity')) ??
      (await this.deployment.keepFirst('machine-identity', readMachineIdentity()))
    );
  }
}
