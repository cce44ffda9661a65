import { Injectable } from '@nestjs/common';
import { DomainError } from '../shared/errors/domain-error.js';
import { Clock } from '../shared/time/clock.js';
import { Store } from '../storage/store.js';
import { hashOfToken, type Link, type LinkKind, LINKS } from './link.js';

/** Finds one-time links. A decision that uses one adds `remove(LINKS, link)`, so a link works only once. */
@Injectable()
export class Links {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /**
   * The link with this token. The caller still compares {@link Link.boundTo}.
   *
   * @throws DomainError INVALID_LINK if there is no link of these kinds, or if it has expired
   */
  async require(token: string, ...kinds: readonly LinkKind[]): Promise<Link> {
    const link = await this.store.find(LINKS, { tokenHash: hashOfToken(token) });
    if (!link || !kinds.includes(link.kind) || link.expiresAt <= this.clock.now()) {
      throw new DomainError('INVALID_LINK');
    }
    return link;
  }
}
