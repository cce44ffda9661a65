import { Injectable } from '@nestjs/common';
import { withLiveAccess } from '../auth/access/with-live-access.js';
import type { UserPrincipal } from '../auth/principal.js';
import { type Client, CLIENTS } from '../clients/client.js';
import { type Actor, record } from '../events/event.js';
import { hashOfToken, type Link, LINKS, newToken } from '../links/link.js';
import { requireLink } from '../links/require-link.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import { Clock } from '../shared/time/clock.js';
import { insert, remove, replace } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { findOwned, getOwned, Store } from '../storage/store.js';
import type { Portal } from './portal.js';
import {
  extended,
  linkFor,
  newPortalSession,
  PORTAL_SESSIONS,
  type PortalSession,
  requireUnchangedAddress,
} from './portal-session.js';
import { PortalSettingsService } from './portal-settings.service.js';
import type { PortalLinkResponse } from './dto/portal.response.js';

/** A client that is signed in to a portal. */
export interface Visitor {
  readonly portal: Portal;
  readonly client: Client;
}

export const actorOf = ({ _id: id, name }: Client): Actor => ({ type: 'client', id, name });

/** Links that sign clients in, and their sessions. */
@Injectable()
export class PortalSessions {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly portals: PortalSettingsService,
    private readonly clock: Clock,
  ) {}

  async createLink(
    _id: string,
    by: UserPrincipal,
    idempotency?: IdempotencyRecord,
  ): Promise<Omit<PortalLinkResponse, 'message'>> {
    const url = await this.portals.urlOf(by.accountId);
    let decided: Pick<Link, 'expiresAt'> | undefined;
    let link: string | null = null;
    const decide = async () => {
      const client = await getOwned(this.store, CLIENTS, _id, by.accountId, 'CLIENT_NOT_FOUND');
      if (!(await this.portals.findEnabled(by.accountId))) throw new DomainError('PORTAL_OFF');
      const now = this.clock.now();
      const { change, token, expiresAt } = linkFor(client, now);
      link = `${url}/sign-in#${token}`;
      decided = { expiresAt };
      const event = record('client.portal_link_created', subjectOf(client), now);
      return { result: decided, changes: [requireUnchangedAddress(client), change, event] };
    };
    const result = await this.decisions.run(withLiveAccess(by, decide), { idempotency });
    return { link: result === decided ? link : null, expiresAt: result.expiresAt };
  }

  /**
   * Uses up a link.
   *
   * @returns the token of the new session
   */
  async start(issuer: string, linkToken: string): Promise<string> {
    const portal = await this.portals.find(issuer);
    const token = newToken();
    const decide = async () => {
      const now = this.clock.now();
      const link = await requireLink(this.store, now, linkToken, 'portal');
      const client = await this.clientOf({ ...link, client: link.subject }, portal);
      if (!client) throw new DomainError('INVALID_LINK');
      const changes = [
        remove(LINKS, link),
        requireUnchangedAddress(client),
        insert(PORTAL_SESSIONS, newPortalSession(client, token, now)),
        record('client.signed_in', subjectOf(client), now, { by: actorOf(client) }),
      ];
      return { result: undefined, changes };
    };
    await this.decisions.run<void>(decide, { key: hashOfToken(linkToken) });
    return token;
  }

  /** The client of this session, which is extended. */
  async require(issuer: string, token: string): Promise<Visitor> {
    const portal = await this.portals.find(issuer);
    const session = await this.find(token);
    const client = session && (await this.clientOf(session, portal));
    if (!client) throw new DomainError('PORTAL_SESSION_ENDED');
    const longer = extended(session, this.clock.now());
    // Another request has extended or ended the session.
    if (longer !== session) {
      await this.decisions.commit([replace(PORTAL_SESSIONS, session, longer)]);
    }
    return { portal, client };
  }

  /** Ends a session, if there is one. */
  async end(issuer: string, token: string): Promise<void> {
    const portal = await this.portals.find(issuer);
    await this.decisions.run<void>(async () => {
      const session = await this.find(token);
      const isOwn = session?.accountId === portal._id;
      return { result: undefined, changes: isOwn ? [remove(PORTAL_SESSIONS, session)] : [] };
    });
  }

  private async find(token: string): Promise<PortalSession | null> {
    const session = await this.store.find(PORTAL_SESSIONS, { tokenHash: hashOfToken(token) });
    return session && session.expiresAt > this.clock.now() ? session : null;
  }

  /**
   * The client of a link or session; null if it belongs to another portal, if the portal has been off
   * since, or if the client has another address.
   */
  private async clientOf(
    {
      accountId,
      client: _id,
      email,
      createdAt,
    }: Pick<PortalSession, 'accountId' | 'client' | 'email' | 'createdAt'>,
    portal: Portal,
  ): Promise<Client | null> {
    if (accountId !== portal._id || createdAt < portal.enabledAt) return null;
    const client = await findOwned(this.store, CLIENTS, _id, accountId);
    return client?.email === email ? client : null;
  }
}

const subjectOf = ({ _id, owner: accountId, name }: Client) => ({ _id, accountId, name });
