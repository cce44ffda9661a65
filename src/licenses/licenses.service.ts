import { Injectable } from '@nestjs/common';
import { PROJECTS } from '../projects/project.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids/account-id.js';
import type { Page, PageRequest } from '../shared/pagination/page.js';
import { AccountQuotas } from '../shared/quotas/account-totals.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, increment, insert, replace, touch } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { createdEvent, EVENTS, licenseEvent } from './license-event.js';
import { LicenseEventsService } from './license-events.service.js';
import { LicenseKeyService } from './license-key.service.js';
import type { LicenseQuery } from './license-query.js';
import { LicenseReader } from './license-reader.js';
import { reissued, renewed, revoked } from './license-transitions.js';
import { type License, LICENSES, statusOf } from './license.js';

const ONE_LICENSE = { licensesCount: 1 };

export interface Reissued {
  readonly revoked: License;
  readonly license: License;
  /** The latest end of the revoked license's certificates for machines without a network; null if it had none. */
  readonly lastCertificateEnd: Date | null;
}

@Injectable()
export class LicensesService {
  constructor(
    private readonly licenses: LicenseReader,
    private readonly events: LicenseEventsService,
    private readonly keys: LicenseKeyService,
    private readonly quotas: AccountQuotas,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError LICENSE_NOT_FOUND */
  async get(_id: string, accountId: AccountId): Promise<License> {
    const license = await this.licenses.findOwned(_id, accountId);
    if (!license) throw new DomainError('LICENSE_NOT_FOUND');
    return license;
  }

  list(accountId: AccountId, query: LicenseQuery, page: PageRequest): Promise<Page<License>> {
    return this.licenses.list(accountId, query, page, this.clock.now());
  }

  /**
   * Revokes a license permanently; a revoked license is left unchanged.
   *
   * @throws DomainError LICENSE_NOT_FOUND, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_QUOTA_REACHED
   */
  revoke(
    _id: string,
    accountId: AccountId,
    reason: string | null,
    idempotency?: IdempotencyRecord,
  ): Promise<License> {
    const decide = async () => {
      const before = await this.get(_id, accountId);
      const now = this.clock.now();
      const license = revoked(before, reason, now);
      if (license === before) return { result: license, changes: [] };
      const event = licenseEvent(license, 'revoked', now, { actor: accountId, reason });
      const changes = [replace(LICENSES, before, license), insert(EVENTS, event)];
      return { result: license, changes };
    };
    return this.decisions.run(decide, { idempotency, key: _id });
  }

  /**
   * Extends the term of an ACTIVE license, or starts a new one for an EXPIRED license.
   *
   * @param months 1 to 12
   * @throws DomainError LICENSE_NOT_FOUND, LICENSE_NOT_ACTIVATED, LICENSE_ALREADY_REVOKED,
   *   LICENSE_TERM_TOO_LONG, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_QUOTA_REACHED
   */
  renew(
    _id: string,
    accountId: AccountId,
    months: number,
    idempotency?: IdempotencyRecord,
  ): Promise<License> {
    const decide = async () => {
      const before = await this.get(_id, accountId);
      const now = this.clock.now();
      const license = renewed(before, months, now);
      const termEndedAt = statusOf(before, now) === 'EXPIRED' ? before.expiresAt : null;
      const event = licenseEvent(license, 'renewed', now, { actor: accountId, termEndedAt });
      const changes = [
        touch(PROJECTS, license.project),
        replace(LICENSES, before, license),
        insert(EVENTS, event),
      ];
      return { result: license, changes };
    };
    return this.decisions.run(decide, { idempotency, key: _id });
  }

  /**
   * Revokes a license and issues its replacement, with a new key, unbound and PENDING. The replaced license stays, so both count
   * towards the quota.
   *
   * @param duration months of the replacement; those of the license where undefined
   * @throws DomainError LICENSE_NOT_FOUND, LICENSE_ALREADY_REVOKED, LICENSE_QUOTA_REACHED,
   *   IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_QUOTA_REACHED
   */
  reissue(
    _id: string,
    accountId: AccountId,
    duration: number | undefined,
    idempotency?: IdempotencyRecord,
  ): Promise<Reissued> {
    const decide = async (failed?: Change) => {
      await this.quotas.explain(failed, accountId, ONE_LICENSE);
      const before = await this.get(_id, accountId);
      const { project, product } = before;
      const now = this.clock.now();
      const old = reissued(before, now);
      const terms = { ...before, duration: duration ?? before.duration, replaces: _id };
      const license = this.keys.issue(terms, now);
      const lastCertificateEnd = await this.events.lastCertificateEnd(before);
      const changes = [
        increment(PROJECTS, project, ONE_LICENSE, { where: { product } }),
        this.quotas.add(accountId, ONE_LICENSE),
        replace(LICENSES, before, old),
        insert(LICENSES, license),
        insert(EVENTS, licenseEvent(old, 'reissued', now, { actor: accountId })),
        insert(EVENTS, createdEvent(license)),
      ];
      return { result: { revoked: old, license, lastCertificateEnd }, changes };
    };
    return this.decisions.run(decide, { idempotency, key: _id });
  }
}
