import { createHmac } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { maxEntries } from '../shared/bounded-cache.js';
import { Config } from '../shared/config/config.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { DeploymentItems } from '../storage/deployment-items.js';
import { readMachineIdentity } from './machine-identity.js';

/** Maximum of cached machine ids, about 300 bytes each. */
const MAX_CACHED = 20_000;

/** Derives the hashed machine ids that licenses are bound to (specification, section 3). */
@Injectable()
export class MachineIdProvider implements OnModuleInit {
  private serviceIdentity = '';
  /** Cached, because shipped software validates from the same machines repeatedly: an HMAC takes 2.5 microseconds of some 30. */
  private readonly machineIds = new LRUCache<string, string>({
    ...maxEntries(MAX_CACHED),
    memoMethod: (machine) =>
      createHmac('sha256', this.dataKeys.machine).update(machine).digest('hex'),
  });

  constructor(
    private readonly config: Config,
    private readonly deployment: DeploymentItems,
    private readonly dataKeys: DataKeys,
  ) {}

  /** Determines the identity of the service's own machine, which all instances of a deployment share. */
  async onModuleInit(): Promise<void> {
    this.serviceIdentity =
      this.config.machineId ??
      (await this.deployment.findOrCreate('machine-identity', readMachineIdentity));
  }

  /**
   * The machine id of a request: HMAC-SHA256 in hexadecimal, different for each project.
   *
   * @param fingerprint identifies the caller's machine; without it, the service's own machine is used
   */
  machineIdFor(project: string, fingerprint?: string): string {
    const identity =
      fingerprint === undefined
        ? `service\n${this.serviceIdentity}`
        : `fingerprint\n${fingerprint}`;
    return this.machineIds.memo(`${project}\n${identity}`);
  }
}
