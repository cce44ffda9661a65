import { Injectable } from '@nestjs/common';
import type { AccountId } from '../../shared/ids/account-id.js';
import { TOTALS } from '../../shared/quotas/account-totals.js';
import { Clock } from '../../shared/time/clock.js';
import { type Change, insert, touch } from '../../storage/changes.js';
import { NOT_STORED } from '../../storage/collection.js';
import { Decisions } from '../../storage/decisions.js';
import { Store } from '../../storage/store.js';
import { KeyPairs } from './key-pairs.service.js';
import { SIGNING_KEYS, type SigningKeys } from './signing-keys.js';

/** Reads the signing keys of accounts, and creates them at first use. */
@Injectable()
export class AccountKeys {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly keyPairs: KeyPairs,
    private readonly clock: Clock,
  ) {}

  /** The keys of an account; undefined where the account was deleted. */
  of(accountId: AccountId): Promise<SigningKeys | undefined> {
    return this.decisions.run(async (failed?: Change) => {
      const stored = await this.store.find(SIGNING_KEYS, { _id: accountId });
      if (stored) return { result: stored, changes: [] };
      if (failed?.collection === TOTALS) return { result: undefined, changes: [] };
      const keys = this.firstKeys(accountId);
      return { result: keys, changes: [touch(TOTALS, accountId), insert(SIGNING_KEYS, keys)] };
    });
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
      version: NOT_STORED,
    };
  }
}
