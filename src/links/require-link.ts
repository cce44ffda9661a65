import { DomainError } from '../shared/errors/domain-error.js';
import type { Store } from '../storage/store.js';
import { hashOfToken, type Link, type LinkKind, LINKS } from './link.js';

/**
 * The unexpired link of these kinds with this token. The caller still compares {@link Link.boundTo}. A decision that uses
 * the link adds `remove(LINKS, link)`, so it works only once.
 *
 * @throws DomainError INVALID_LINK if there is none
 */
export async function requireLink(
  store: Store,
  now: Date,
  token: string,
  ...kinds: readonly LinkKind[]
): Promise<Link> {
  const link = await store.find(LINKS, { tokenHash: hashOfToken(token) });
  if (!link || !kinds.includes(link.kind) || link.expiresAt <= now) {
    throw new DomainError('INVALID_LINK');
  }
  return link;
}
