import { Injectable } from '@nestjs/common';
import { SIGNING_KEYS } from '../certificates/signing-keys/signing-keys.js';
import { CLIENTS } from '../clients/client.js';
import { CustomerMail } from '../customer-mail/customer-mail.service.js';
import { LINK_REQUESTS, type LinkRequest, newLinkRequest } from '../links/link-request.js';
import { MAILS } from '../mail/mail.js';
import { OutgoingMail } from '../mail/outgoing-mail.service.js';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, insert } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { linkFor, requireUnchangedAddress } from './portal-session.js';
import { PortalSettingsService } from './portal-settings.service.js';

/** Maximum number of links mailed to a client in an hour. */
const MAX_LINKS = 5;
const HOUR_MS = 3_600_000;

/** Links that sign clients in, mailed to people who enter a client's address. */
@Injectable()
export class PortalLogins {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly portals: PortalSettingsService,
    private readonly outgoing: OutgoingMail,
    private readonly customerMail: CustomerMail,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Whether this deployment mails links. */
  get isOn(): boolean {
    return this.config.portalUrl !== undefined && this.customerMail.isOn;
  }

  /** Stores a request, whether or not the client exists; a worker finds out. */
  async request(issuer: string, email: string): Promise<void> {
    if (!this.isOn) throw new DomainError('MAIL_OFF');
    const keys = await this.store.find(SIGNING_KEYS, { issuer });
    if (!keys) return;
    const request = newLinkRequest('portal', email, keys._id, this.clock.now());
    await this.decisions.commit([insert(LINK_REQUESTS, request)]);
  }

  /**
   * The changes that mail a link for a request; none if the client does not exist, its portal is off, or it
   * has received enough links.
   */
  async changesFor({ email, accountId }: LinkRequest): Promise<Change[]> {
    // The portal may have been on when the request was stored.
    if (!this.isOn) return [];
    const portal = accountId && (await this.portals.findEnabled(accountId));
    const client = await this.store.find(CLIENTS, { email });
    if (!portal || client?.owner !== portal._id) return [];
    if (!(await this.customerMail.isAllowed(portal._id))) return [];
    const now = this.clock.now();
    const about = client._id;
    const since = new Date(now.getTime() - HOUR_MS + 1);
    const kind = 'portal_link' as const;
    const recent = { accountId: portal._id, kind, about, createdAt: { from: since } };
    if ((await this.store.count(MAILS, recent, MAX_LINKS)) >= MAX_LINKS) return [];
    const { change, token, expiresAt: giveUpAt } = linkFor(client, now);
    const text = `${await this.portals.urlOf(portal._id)}/sign-in#${token}`;
    const mail = this.outgoing.toMember({
      ...{ accountId: portal._id, kind, to: email, about, giveUpAt },
      values: { vendor: portal.name, link: { as: 'link', text } },
    });
    return [requireUnchangedAddress(client), change, mail];
  }
}
