import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataKeys } from '../../shared/sealing/data-keys.js';
import { SessionsRepository } from './sessions.repository.js';

/** The addresses that accounts were logged in to from. No address is stored, only a keyed hash. */
@Injectable()
export class LoginAddresses {
  constructor(
    private readonly dataKeys: DataKeys,
    private readonly sessions: SessionsRepository,
  ) {}

  /**
   * @param email of an account, in its normal form
   * @param address the caller's, as limits count it
   */
  hash(email: string, address: string): string {
    return createHmac('sha256', this.dataKeys.lookup)
      .update(JSON.stringify(['login address', email, address]))
      .digest('base64url');
  }

  /** The same lookup whether the account exists or not, so that its time does not tell. */
  isKnown(email: string, address: string): Promise<boolean> {
    return this.sessions.isKnownAddress(this.hash(email, address));
  }
}
