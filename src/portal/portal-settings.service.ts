import { Injectable } from '@nestjs/common';
import { withLiveAccess } from '../auth/access/with-live-access.js';
import { findOwner } from '../auth/accounts/find-owner.js';
import type { UserPrincipal } from '../auth/principal.js';
import { SigningKeysService } from '../certificates/signing-keys/signing-keys.service.js';
import { SIGNING_KEYS } from '../certificates/signing-keys/signing-keys.js';
import { changesOf, record } from '../events/event.js';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, insert, isUnchanged, replace, touch } from '../storage/changes.js';
import { NOT_STORED } from '../storage/collection.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { newPortal, type Portal, PORTALS, type PortalSettings } from './portal.js';
import { type PortalDto, toPortalDto } from './dto/portal.response.js';

/** Records that the logo changed, without its bytes. */
const EVENT_FIELDS = ['enabled', 'name', 'supportUrl', 'showKey', 'releasesPer30Days'] as const;

@Injectable()
export class PortalSettingsService {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly signingKeys: SigningKeysService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async get(accountId: AccountId): Promise<PortalDto> {
    return this.show(await this.findOrNew(accountId));
  }

  /** @throws DomainError PORTAL_NOT_CONFIGURED if it is turned on in a deployment without a portal */
  async put(by: UserPrincipal, settings: PortalSettings): Promise<PortalDto> {
    const { accountId } = by;
    if (settings.enabled) this.requireUrl();
    const decide = async (failed?: Change) => {
      if (failed?.collection === TOTALS) throw new DomainError('UNAUTHORIZED');
      const before = await this.findOrNew(accountId);
      const updatedAt = this.clock.now();
      const isTurnedOn = settings.enabled && !before.enabled;
      const after = {
        ...{ ...before, ...settings, updatedAt },
        ...(isTurnedOn && { enabledAt: updatedAt }),
      };
      if (isUnchanged(before, after)) return { result: before, changes: [] };
      const data = {
        ...changesOf(before, after, EVENT_FIELDS),
        ...(before.logo !== after.logo && { logo: [before.logo !== null, after.logo !== null] }),
      };
      const subject = { accountId, _id: accountId, name: after.name };
      const isNew = before.version === NOT_STORED;
      const changes = [
        touch(TOTALS, accountId),
        isNew ? insert(PORTALS, after) : replace(PORTALS, before, after),
        record('portal.updated', subject, updatedAt, { data }),
      ];
      return { result: after, changes };
    };
    return this.show(await this.decisions.run(withLiveAccess(by, decide)));
  }

  /**
   * The portal of one vendor, identified by the issuer.
   *
   * @throws DomainError PORTAL_NOT_FOUND if there is none, it is off, or the account is disabled
   */
  async find(issuer: string): Promise<Portal> {
    const keys = await this.store.find(SIGNING_KEYS, { issuer });
    const portal = keys && (await this.findEnabled(keys._id));
    if (!portal) throw new DomainError('PORTAL_NOT_FOUND');
    return portal;
  }

  /** The portal of an account; null if it is off, or the account is disabled. */
  async findEnabled(_id: AccountId): Promise<Portal | null> {
    const [portal, account] = await Promise.all([
      this.store.find(PORTALS, { _id }),
      this.store.find(TOTALS, { _id }),
    ]);
    return portal?.enabled && account?.disabledAt === null ? portal : null;
  }

  /** The address of an account's portal. */
  async urlOf(accountId: AccountId): Promise<string> {
    const url = this.requireUrl();
    return `${url}/${(await this.signingKeys.get(accountId)).issuer}`;
  }

  private requireUrl(): string {
    const { portalUrl } = this.config;
    if (portalUrl === undefined) throw new DomainError('PORTAL_NOT_CONFIGURED');
    return portalUrl;
  }

  private async findOrNew(_id: AccountId): Promise<Portal> {
    const portal = await this.store.find(PORTALS, { _id });
    if (portal) return portal;
    const owner = await findOwner(this.store, _id);
    return newPortal(_id, owner?.name ?? '', this.clock.now());
  }

  private async show(portal: Portal): Promise<PortalDto> {
    const isServed = this.config.portalUrl !== undefined;
    return toPortalDto({ ...portal, url: isServed ? await this.urlOf(portal._id) : null });
  }
}
