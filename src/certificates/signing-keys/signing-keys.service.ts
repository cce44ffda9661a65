import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { withLiveAccess } from '../../auth/access/with-live-access.js';
import { StepUp } from '../../auth/factors/step-up.service.js';
import type { UserPrincipal } from '../../auth/principal.js';
import { record } from '../../events/event.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { type AccountId, OBJECT_ID_PATTERN } from '../../shared/ids.js';
import type { IdempotencyRecord } from '../../shared/idempotency/idempotency-record.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { TOTALS } from '../../shared/quotas/account-totals.js';
import { Clock } from '../../shared/time/clock.js';
import { type Change, insert, replace, touch } from '../../storage/changes.js';
import { NOT_STORED } from '../../storage/collection.js';
import { Decisions } from '../../storage/decisions.js';
import { Store } from '../../storage/store.js';
import type { Signer } from '../certificate.js';
import type { RotateSigningKeysDto } from '../dto/rotate-signing-keys.dto.js';
import {
  type PublicJwk,
  type SigningKeysResponse,
  toJwk,
  toSigningKeysResponse,
} from '../dto/signing-keys.response.js';
import { KeyPairs } from './key-pairs.service.js';
import {
  publishedKeys,
  rotated,
  ROTATION_DELAY_MS,
  SIGNING_KEYS,
  type SigningKeys,
} from './signing-keys.js';

/** Maximum number of cached signers, about 2 KB each. */
const MAX_CACHED = 5_000;
/** Leaves the rest of the delay to requests that start to use a signer just before it leaves the cache. */
const CACHED_FOR_MS = ROTATION_DELAY_MS / 2;

/** The signing keys of accounts, created on first use. */
@Injectable()
export class SigningKeysService {
  private readonly signers = new LRUCache<AccountId, { signer: Signer; loadedAt: number }>({
    max: MAX_CACHED,
  });

  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly stepUp: StepUp,
    private readonly keyPairs: KeyPairs,
    private readonly securityLog: SecurityLog,
    private readonly clock: Clock,
  ) {}

  /** The signer of an account if it was loaded in the last half minute. */
  peekSigner(accountId: AccountId): Signer | undefined {
    const cached = this.signers.get(accountId);
    if (!cached) return undefined;
    const age = this.clock.now().getTime() - cached.loadedAt;
    // A negative age means the clock was set back, so the real age is unknown.
    return age >= 0 && age <= CACHED_FOR_MS ? cached.signer : undefined;
  }

  /** The signer of an account; undefined if the account was deleted. */
  async loadSigner(accountId: AccountId): Promise<Signer | undefined> {
    const loadedAt = this.clock.now().getTime();
    const keys = await this.findOrCreate(accountId);
    if (!keys) return undefined;
    const { issuer, current } = keys;
    const privateKey = this.keyPairs.privateKey(issuer, current);
    const signer = { issuer, kid: current.kid, privateKey };
    this.signers.set(accountId, { signer, loadedAt });
    return signer;
  }

  async get(accountId: AccountId): Promise<SigningKeysResponse> {
    return toSigningKeysResponse(await this.require(accountId));
  }

  /** The keys of an issuer that may have signed valid certificates; empty for an unknown issuer. */
  async listPublished(issuer: string): Promise<PublicJwk[]> {
    if (!OBJECT_ID_PATTERN.test(issuer)) return [];
    const keys = await this.store.find(SIGNING_KEYS, { issuer });
    return keys ? publishedKeys(keys, this.clock.now()).map(toJwk) : [];
  }

  /**
   * Makes the next key the current one. No instance signs with the previous key for more than another
   * minute.
   *
   * @param address the caller's address, as counted by rate limits
   */
  async rotate(
    owner: UserPrincipal,
    { current, ...rotation }: RotateSigningKeysDto,
    address: string,
    idempotency?: IdempotencyRecord,
  ): Promise<SigningKeysResponse> {
    const { accountId, id: user } = owner;
    const { compromised = false, ...confirmation } = rotation;
    // A code works once, so a repeated request is not confirmed again.
    const isRepeat =
      owner.factors.length > 0 && idempotency && (await this.decisions.findResult(idempotency));
    if (!isRepeat) await this.stepUp.require(owner, confirmation, address);
    let decided: SigningKeysResponse | undefined;
    const decide = async () => {
      const keys = await this.require(accountId);
      if (keys.current.kid !== current) throw new DomainError('SIGNING_KEY_NOT_CURRENT');
      const now = this.clock.now();
      const after = rotated(keys, this.keyPairs.generate(keys.issuer), compromised, now);
      if (!after) throw new DomainError('RETIRED_KEY_QUOTA_REACHED');
      decided = toSigningKeysResponse(after);
      const subject = { accountId, _id: accountId, name: after.issuer };
      const data = { former: keys.current.kid, current: after.current.kid, compromised };
      const event = record('signing_keys.rotated', subject, now, { data });
      return { result: decided, changes: [replace(SIGNING_KEYS, keys, after), event] };
    };
    const keys = await this.decisions.run(withLiveAccess(owner, decide), { idempotency });
    // A repeated request returns the first result, which this decision did not compute.
    if (keys === decided) {
      this.securityLog.record('signing_keys_rotated', { account: accountId, user, compromised });
    }
    this.signers.delete(accountId);
    return keys;
  }

  /** The keys of an account; undefined if the account was deleted. */
  findOrCreate(accountId: AccountId): Promise<SigningKeys | undefined> {
    return this.decisions.run(async (failed?: Change) => {
      const stored = await this.store.find(SIGNING_KEYS, { _id: accountId });
      if (stored) return { result: stored, changes: [] };
      if (failed?.collection === TOTALS) return { result: undefined, changes: [] };
      const now = this.clock.now();
      const keys: SigningKeys = {
        _id: accountId,
        version: NOT_STORED,
        issuer: accountId,
        current: this.keyPairs.generate(accountId),
        next: this.keyPairs.generate(accountId),
        retired: [],
        rotations: 0,
        isExported: false,
        createdAt: now,
        updatedAt: now,
      };
      return { result: keys, changes: [touch(TOTALS, accountId), insert(SIGNING_KEYS, keys)] };
    });
  }

  private async require(accountId: AccountId): Promise<SigningKeys> {
    const keys = await this.findOrCreate(accountId);
    if (!keys) throw new DomainError('UNAUTHORIZED');
    return keys;
  }
}
