import { Injectable } from '@nestjs/common';
import type { AccountId } from '../../shared/ids/account-id.js';
import { Clock } from '../../shared/time/clock.js';
import { KeyPairs } from './key-pairs.service.js';
import type { SigningKeys } from './signing-keys.js';
import { SigningKeysRepository } from './signing-keys.repository.js';

/** Reads the signing keys of accounts, and creates them at first use. */
@Injectable()
export class AccountKeys {
  constructor(
    private readonly repository: SigningKeysRepository,
    private readonly keyPairs: KeyPairs,
    private readonly clock: Clock,
  ) {}

  /** The keys of an account; undefined where the account was deleted. */
  async of(accountId: AccountId): Promise<SigningKeys | undefined> {
    const stored =
      (await this.repository.find(accountId)) ??
      (await this.repository.keepFirst(this.firstKeys(accountId)));
    return stored === 'account_deleted' ? undefined : stored;
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
