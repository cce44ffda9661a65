import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { maxEntries } from '../shared/bounded-cache.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { Clock } from '../shared/time/clock.js';
import type { Signer } from './jws.js';
import { AccountKeys } from './signing-keys/account-keys.service.js';
import { KeyPairs } from './signing-keys/key-pairs.service.js';
import { ROTATION_DELAY_MS } from './signing-keys/signing-keys.js';

/** Maximum of cached signers, about 2 KB each. */
const MAX_CACHED = 5_000;
/** A request that began to use a signer at its end is over well within the rest of the delay. */
const CACHED_FOR_MS = ROTATION_DELAY_MS / 2;

@Injectable()
export class Signers {
  private readonly signers = new LRUCache<AccountId, { signer: Signer; loadedAt: number }>(
    maxEntries(MAX_CACHED),
  );

  constructor(
    private readonly accountKeys: AccountKeys,
    private readonly keyPairs: KeyPairs,
    private readonly clock: Clock,
  ) {}

  /** The signer of an account if it was loaded within the last half a minute. */
  peek(accountId: AccountId): Signer | undefined {
    const cached = this.signers.get(accountId);
    if (!cached) return undefined;
    const age = this.clock.now().getTime() - cached.loadedAt;
    // A negative age means that the clock was set back, so the real one is unknown.
    return age >= 0 && age <= CACHED_FOR_MS ? cached.signer : undefined;
  }

  /** The signer of an account; undefined where the account was deleted. */
  async load(accountId: AccountId): Promise<Signer | undefined> {
    const loadedAt = this.clock.now().getTime();
    const keys = await this.accountKeys.of(accountId);
    if (!keys) return undefined;
    const { issuer, current } = keys;
    const privateKey = this.keyPairs.privateKey(issuer, current);
    const signer = { issuer, kid: current.kid, privateKey };
    this.signers.set(accountId, { signer, loadedAt });
    return signer;
  }

  forget(accountId: AccountId): void {
    this.signers.delete(accountId);
  }
}
