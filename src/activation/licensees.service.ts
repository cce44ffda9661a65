import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Names } from '../certificates/certificate.js';
import { CLIENTS } from '../clients/client.js';
import type { License } from '../licenses/license.js';
import { PLANS } from '../plans/plan.js';
import { Store } from '../storage/store.js';

type Parents = Pick<License, 'client' | 'plan'>;

/** Maximum number of licenses whose client and plan names are cached. */
const MAX_REMEMBERED = 20_000;

/** Reads the client and plan names for certificates. */
@Injectable()
export class Licensees {
  /** Keyed by the hash of the key, so the names can be read at the same time as the license they belong to. */
  private readonly remembered = new LRUCache<string, Parents>({ max: MAX_REMEMBERED });

  constructor(private readonly store: Store) {}

  /** The names for a license that is being read at the same time; valid only if {@link areOf} confirms them. */
  async peek(keyHash: string): Promise<PeekedNames | undefined> {
    const parents = this.remembered.get(keyHash);
    return parents && { parents, names: await this.read(parents) };
  }

  remember({ keyHash, client, plan }: License): void {
    this.remembered.set(keyHash, { client, plan });
  }

  async read({ client: _id, plan }: Parents): Promise<Names> {
    const [owner, issuedBy] = await Promise.all([
      this.store.find(CLIENTS, { _id }),
      plan === null ? null : this.store.find(PLANS, { _id: plan }),
    ]);
    return { licensee: owner?.name ?? '', plan: issuedBy?.name ?? null };
  }
}

export interface PeekedNames {
  readonly parents: Parents;
  readonly names: Names;
}

export const areOf = ({ parents }: PeekedNames, { client, plan }: License): boolean =>
  parents.client === client && parents.plan === plan;
