import { Injectable } from '@nestjs/common';
import { DataKeys } from '../../shared/sealing/data-keys.js';
import { SessionsRepository } from './sessions.repository.js';

/** The addresses from which accounts were logged in to. Only keyed hashes of them are stored. */
@Injectable()
export class LoginAddresses {
  constructor(
    private readonly dataKeys: DataKeys,
    private readonly sessions: SessionsRepository,
  ) {}

  /** @param email in normal form */
  hash(email: string, address: string): string {
    return this.dataKeys.hash('login address', email, address);
  }

  /** One lookup whether the account exists or not, so that response times do not reveal it. */
  isKnown(email: string, address: string): Promise<boolean> {
    return this.sessions.isKnownAddress(this.hash(email, address));
  }
}
