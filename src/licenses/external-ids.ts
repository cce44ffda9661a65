import { Injectable } from '@nestjs/common';
import { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { Store } from '../storage/store.js';
import { LICENSES } from './license.js';

/** The ids that owners give their licenses. The store keeps them unique; here the error is found that names the first license. */
@Injectable()
export class ExternalIds {
  constructor(private readonly store: Store) {}

  /**
   * @param of the license that may have it
   * @throws DomainError LICENSE_EXISTS
   */
  async requireFree(externalId: string | null, user: AccountId, of?: string): Promise<void> {
    if (externalId === null) return;
    const first = await this.store.find(LICENSES, { user, externalId });
    if (first && first._id !== of) {
      throw new DomainError('LICENSE_EXISTS', { licenseId: first._id });
    }
  }
}
