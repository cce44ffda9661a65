import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { maxEntries } from '../shared/bounded-cache.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { Clock } from '../shared/time/clock.js';
import type { Signer } from './certificate.js';
import { KeyPairs } from './signing-keys/key-pairs.service.js';
import { ROTATION_DELAY_MS, type SigningKeys } from './signing-keys/signing-keys.js';
import { SigningKeysRepository } from './signing-keys/signing-keys.repository.js';

/** Maximum of cached signers, about 2 KB each. */
const MAX_CACHED = 5_000;
/** A request that began to use a signer at its end is over well within the rest of the delay. */
const CACHED_FOR_MS = ROTATION_DELAY_MS / 2;

/** The signers of accounts, whose keys are created at first use. */
@Injectable()
export class Signers {
  private readonly signers = new LRUCache<AccountId, Signer>({
    ...maxEntries(MAX_CACHED),
    ttl: CACHED_FOR_MS,
    ttlResolution: 0,
    perf: { now: () => this.clock.now().getTime() },
  });

  constructor(
    private readonly repository: SigningKeysRepository,
    private readonly keyPairs: KeyPairs,
    private readonly clock: Clock,
  ) {}

  /** The signer of an account if it is at hand: it was loaded within the last half a minute. */
  atHand(accountId: AccountId): Signer | undefined {
    return this.signers.get(accountId);
  }

  /** The signer of an account; undefined where the account was deleted. */
  async load(accountId: AccountId): Promise<Signer | undefined> {
    const keys = await this.keysOf(accountId);
    if (!keys) return undefined;
    const { issuer, current } = keys;
    const privateKey = this.keyPairs.privateKey(issuer, current);
    const signer = { issuer, kid: current.kid, privateKey };
    this.signers.set(accountId, signer);
    return signer;
  }

  /** The keys of an account, created at the first call; undefined where the account was deleted. */
  async keysOf(accountId: AccountId): Promise<SigningKeys | undefined> {
    const stored =
      (await this.repository.find(accountId)) ??
      (await this.repository.keepFirst(this.firstKeys(accountId)));
    return stored === 'account_deleted' ? undefined : stored;
  }

  forget(accountId: AccountId): void {
    this.signers.delete(accountId);
  }

  private firstKeys(accountId: AccountId): SigningKeys {
    const now = this.clock.now();
    return {
      _id: accountId,
      issuer: accountId,
      current: this.keyPairs.generate(accountId),
      next: this.keyPairs.generate(accountId),
      retired: [],
      rotations: 0,
      createdAt: now,
      updatedAt: now,
    };
  }
}
