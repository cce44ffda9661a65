import { Injectable } from '@nestjs/common';
import { normalEmail } from '../../shared/fields/request.decorators.js';
import { DataKeys } from '../../shared/sealing/data-keys.js';
import { type Change, insert, MAX_BATCH_SIZE, remove, replace } from '../../storage/changes.js';
import { NOT_STORED } from '../../storage/collection.js';
import { Store } from '../../storage/store.js';
import type { User } from '../accounts/user.js';
import { LOGIN_ADDRESSES, type LoginAddress, MAX_LOGIN_ADDRESSES } from './session.js';

/** The addresses from which users logged in. Only keyed hashes are stored. */
@Injectable()
export class LoginAddresses {
  constructor(
    private readonly dataKeys: DataKeys,
    private readonly store: Store,
  ) {}

  /**
   * One lookup whether or not the account exists, so response times do not reveal it.
   *
   * @param email normalized
   */
  async isKnown(email: string, address: string): Promise<boolean> {
    const _id = this.hash(email, address);
    return (await this.store.find(LOGIN_ADDRESSES, { _id })) !== null;
  }

  /**
   * The changes that make an address known for an account. At the maximum, it replaces the least recently
   * used address.
   */
  async add(
    { _id: user, account: accountId, email }: User,
    address: string,
    usedAt: Date,
  ): Promise<Change[]> {
    const _id = this.hash(email, address);
    const login: LoginAddress = { _id, user, accountId, usedAt, version: NOT_STORED };
    const known = await this.store.find(LOGIN_ADDRESSES, { _id });
    if (known) return [replace(LOGIN_ADDRESSES, known, login)];
    const latestFirst = { by: 'usedAt', direction: 'desc' } as const;
    const slice = { limit: MAX_BATCH_SIZE };
    const others = await this.store.list(LOGIN_ADDRESSES, { user }, latestFirst, slice);
    const surplus = others.slice(MAX_LOGIN_ADDRESSES - 1);
    return [insert(LOGIN_ADDRESSES, login), ...surplus.map((one) => remove(LOGIN_ADDRESSES, one))];
  }

  private hash(email: string, address: string): string {
    return this.dataKeys.hash('login address', normalEmail(email), address);
  }
}
