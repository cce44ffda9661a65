import { Injectable } from '@nestjs/common';
import { PROJECTS } from '../projects/project.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { type Change, replace } from '../storage/changes.js';
import { Store } from '../storage/store.js';
import { LICENSES } from './license.js';

/** The ids that owners give their licenses. The store keeps them unique; here the error is found that names the first license. */
@Injectable()
export class ExternalIds {
  constructor(private readonly store: Store) {}

  /**
   * The changes that make an external id free, before a license gets it: one of a deleted project may still be stored.
   *
   * @param of the license that may have it
   * @throws DomainError LICENSE_EXISTS
   */
  async freeing(externalId: string | null, user: AccountId, of?: string): Promise<Change[]> {
    if (externalId === null) return [];
    const first = await this.store.find(LICENSES, { user, externalId });
    if (!first || first._id === of) return [];
    if (await this.store.find(PROJECTS, { _id: first.project })) {
      throw new DomainError('LICENSE_EXISTS', { licenseId: first._id });
    }
    return [replace(LICENSES, first, { ...first, externalId: null })];
  }
}
