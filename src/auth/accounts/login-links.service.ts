import { Injectable } from '@nestjs/common';
import type { Link, LinkKind } from '../../links/link.js';
import { Links } from '../../links/links.service.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { Store } from '../../storage/store.js';
import { AccountsService } from './accounts.service.js';
import { linkBindingOf, type User, USERS } from './user.js';

/** Finds one-time links of logins. */
@Injectable()
export class LoginLinks {
  constructor(
    private readonly store: Store,
    private readonly links: Links,
    private readonly accounts: AccountsService,
  ) {}

  /**
   * The link with this token, and its login.
   *
   * @throws DomainError INVALID_LINK if there is no link of these kinds, if it has expired, or if the
   *   password, the address or the right to sign in has changed since
   */
  async require(
    token: string,
    ...kinds: readonly LinkKind[]
  ): Promise<{ readonly link: Link; readonly user: User }> {
    const link = await this.links.require(token, ...kinds);
    const user = await this.store.find(USERS, { _id: link.subject });
    const isBound = user !== null && link.boundTo === linkBindingOf(user);
    if (!isBound || (await this.accounts.isDisabled(user))) throw new DomainError('INVALID_LINK');
    return { link, user };
  }
}
