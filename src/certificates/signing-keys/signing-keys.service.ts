import { Injectable } from '@nestjs/common';
import { PasswordsService } from '../../auth/passwords/passwords.service.js';
import { record } from '../../events/event.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import type { UserPrincipal } from '../../auth/principal.js';
import type { AccountId } from '../../shared/ids/account-id.js';
import { OBJECT_ID_PATTERN } from '../../shared/ids/object-id.js';
import type { IdempotencyRecord } from '../../shared/idempotency/idempotency-record.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { Clock } from '../../shared/time/clock.js';
import { replace } from '../../storage/changes.js';
import { Decisions } from '../../storage/decisions.js';
import { Store } from '../../storage/store.js';
import { Signers } from '../signers.service.js';
import { AccountKeys } from './account-keys.service.js';
import { KeyPairs } from './key-pairs.service.js';
import {
  type PublicKey,
  publicPart,
  type PublicSigningKeys,
  publishedKeys,
  rotated,
  SIGNING_KEYS,
  type SigningKeys,
} from './signing-keys.js';

export interface Rotation {
  /** `kid` of the current key: two requests that know the same one rotate once. */
  readonly current: string;
  /** The former key is published no longer. */
  readonly compromised?: boolean;
  /** The owner's. */
  readonly password: string;
}

@Injectable()
export class SigningKeysService {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly accountKeys: AccountKeys,
    private readonly passwords: PasswordsService,
    private readonly signers: Signers,
    private readonly keyPairs: KeyPairs,
    private readonly securityLog: SecurityLog,
    private readonly clock: Clock,
  ) {}

  /** The keys of an account, created at the first call. */
  async get(accountId: AccountId): Promise<PublicSigningKeys> {
    return publicPart(await this.keysOf(accountId));
  }

  /** The keys of an issuer whose certificates may be valid; none of an unknown issuer. */
  async listPublished(issuer: string): Promise<PublicKey[]> {
    if (!OBJECT_ID_PATTERN.test(issuer)) return [];
    const keys = await this.store.find(SIGNING_KEYS, { issuer });
    return keys ? publishedKeys(keys, this.clock.now()) : [];
  }

  /**
   * Makes the next key the current one. The former one signs nothing after one minute at most, on any instance.
   *
   * @param address the caller's, as rate limits count it
   */
  async rotate(
    owner: UserPrincipal,
    { current, compromised = false, password }: Rotation,
    address: string,
    idempotency?: IdempotencyRecord,
  ): Promise<PublicSigningKeys> {
    const { accountId, id: user } = owner;
    await this.passwords.require(owner, password, address);
    let decided: PublicSigningKeys | undefined;
    const decide = async () => {
      const keys = await this.keysOf(accountId);
      if (keys.current.kid !== current) throw new DomainError('SIGNING_KEY_NOT_CURRENT');
      const fresh = this.keyPairs.generate(keys.issuer);
      const now = this.clock.now();
      const after = rotated(keys, fresh, compromised, now);
      if (!after) throw new DomainError('RETIRED_KEY_QUOTA_REACHED');
      decided = publicPart(after);
      const subject = { accountId, _id: accountId, name: after.issuer };
      const data = { former: keys.current.kid, current: after.current.kid, compromised };
      const event = record('signing_keys.rotated', subject, now, { data });
      return { result: decided, changes: [replace(SIGNING_KEYS, keys, after), event] };
    };
    const keys = await this.decisions.run(decide, { idempotency });
    // A repeat gets the first result, which it has not decided.
    if (keys === decided) {
      this.securityLog.record('signing_keys_rotated', { account: accountId, user, compromised });
    }
    this.signers.forget(accountId);
    return keys;
  }

  private async keysOf(accountId: AccountId): Promise<SigningKeys> {
    const keys = await this.accountKeys.of(accountId);
    if (!keys) throw new DomainError('UNAUTHORIZED');
    return keys;
  }
}
