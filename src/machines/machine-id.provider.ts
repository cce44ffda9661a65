import { createHmac, createSecretKey, type KeyObject, randomUUID } from 'node:crypto';
import os from 'node:os';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import * as imported from 'node-machine-id';
import { Config } from '../shared/config/config.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { DeploymentItems } from '../storage/deployment-items.js';
import { open } from '../shared/sealing/sealing.js';
import { pagesOf, Store } from '../storage/store.js';
import { contextOfMachineKey, MACHINE_KEYS } from './machine-key.js';
import { isPlaceholder } from './placeholder.js';

// A CommonJS module marked as an ES module: Node exports all of it as `default`, but other loaders do not.
const nodeMachineId = 'default' in imported ? (imported.default as typeof imported) : imported;

/** Maximum number of cached machine ids, about 300 bytes each. */
const MAX_CACHED = 20_000;

/** Machine keys read at a time. */
const PAGE_SIZE = 1_000;

/** Derives the hashed machine ids that licenses are bound to (specification, section 3). */
@Injectable()
export class MachineIdProvider implements OnModuleInit {
  private serviceIdentity = '';
  /**
   * Cached, because shipped software validates from the same machines repeatedly, and an HMAC takes 2.5 of
   * about 30 µs.
   */
  private readonly machineIds = new LRUCache<string, string>({
    max: MAX_CACHED,
    memoMethod: (machine) =>
      createHmac('sha256', this.keyFor(machine.slice(0, machine.indexOf('\n'))))
        .update(machine)
        .digest('hex'),
  });
  /** The keys of projects and plans that were created in another deployment. */
  private readonly keys = new Map<string, KeyObject>();

  constructor(
    private readonly config: Config,
    private readonly deployment: DeploymentItems,
    private readonly dataKeys: DataKeys,
    private readonly store: Store,
  ) {}

  /** Determines the identity of the service's own machine, shared by all instances of a deployment. */
  async onModuleInit(): Promise<void> {
    this.serviceIdentity =
      this.config.machineId ??
      (await this.deployment.findOrCreate('machine-identity', readMachineIdentity));
    await this.loadKeys();
  }

  /** The key that hashes the machines of a project or plan. */
  keyFor(_id: string): KeyObject {
    return this.keys.get(_id) ?? this.dataKeys.machine;
  }

  private async loadKeys(): Promise<void> {
    const byText = new Map<string, KeyObject>();
    for await (const page of pagesOf(this.store, MACHINE_KEYS, {}, '_id', PAGE_SIZE)) {
      for (const { _id, sealedKey } of page) {
        const bytes = open(this.dataKeys.sealing, sealedKey, contextOfMachineKey(_id));
        const text = bytes.toString('hex');
        byText.set(text, byText.get(text) ?? createSecretKey(bytes));
        this.keys.set(_id, byText.get(text)!);
      }
    }
  }

  /**
   * The machine id for a request: HMAC-SHA256 in hexadecimal, different for each project.
   *
   * @param fingerprint identifies the caller's machine; defaults to the service's own machine
   */
  machineIdFor(project: string, fingerprint?: string): string {
    const identity =
      fingerprint === undefined
        ? `service\n${this.serviceIdentity}`
        : `fingerprint\n${fingerprint}`;
    return this.machineIds.memo(`${project}\n${identity}`);
  }
}

/**
 * The machine identity from the operating system; random if the system has no unique one. Without its
 * files, `node-machine-id` returns the host name, which changes with every container; with empty files, an
 * empty text. Some firmware reports only zeros.
 */
export function readMachineIdentity(): string {
  let identity = '';
  try {
    identity = nodeMachineId.machineIdSync(true);
  } catch {
    // Without a shell or such a system call, the system has no identity.
  }
  const isHostname = identity.toLowerCase() === os.hostname().toLowerCase();
  return identity.length < 16 || isPlaceholder(identity) || isHostname ? randomUUID() : identity;
}
