import { Injectable } from '@nestjs/common';
import { DomainError } from '../shared/errors/domain-error.js';
import type { Page, PageRequest } from '../shared/pagination/page.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import { IdempotentWrites } from '../shared/idempotency/idempotent-writes.service.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { Clock } from '../shared/time/clock.js';
import { type License, statusOf } from './license.js';
import { createdEvent, licenseEvent } from './license-event.js';
import { LicenseIssuer } from './license-issuer.service.js';
import { can, renewedTerm } from './license-transitions.js';
import { type LicenseQuery, LicensesRepository, type Reissued } from './licenses.repository.js';

/** Reads an account's licenses, and changes them as {@link TRANSITIONS} allows. */
@Injectable()
export class LicensesService {
  constructor(
    private readonly licenses: LicensesRepository,
    private readonly issuer: LicenseIssuer,
    private readonly idempotent: IdempotentWrites,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError LICENSE_NOT_FOUND */
  async get(_id: string, accountId: AccountId): Promise<License> {
    const license = await this.licenses.findOwned(_id, accountId);
    if (!license) throw new DomainError('LICENSE_NOT_FOUND');
    return license;
  }

  list(accountId: AccountId, query: LicenseQuery, page: PageRequest): Promise<Page<License>> {
    return this.licenses.listOwned(accountId, query, page, this.clock.now());
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
    const at = this.clock.now();
    const revocation = { revokedAt: at, revokedReason: reason };
    const event = licenseEvent({ license: _id, type: 'revoked', at, actor: accountId, reason });
    return this.idempotent.once(
      idempotency,
      async () =>
        (await this.licenses.revoke(_id, accountId, revocation, event, idempotency)) ??
        (await this.get(_id, accountId)),
    );
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
    return this.idempotent.once(idempotency, async () => {
      for (;;) {
        // An attempt fails only where another change has succeeded, so the loop ends.
        const renewed = await this.tryToRenew(await this.get(_id, accountId), months, idempotency);
        if (renewed) return renewed;
      }
    });
  }

  /**
   * Revokes a license and issues its replacement, with a new key, unbound and PENDING.
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
    return this.idempotent.once(idempotency, async () => {
      const license = await this.get(_id, accountId);
      const at = this.clock.now();
      if (!can('reissue', license, at)) throw alreadyRevoked();
      const terms = { ...license, duration: duration ?? license.duration, replaces: _id };
      const reissued = await this.issuer.issue(terms, at, (replacement) =>
        this.licenses.reissue(
          {
            revocation: { revokedAt: at, revokedReason: 'Reissued' },
            replacement: { ...replacement, replaces: _id },
            events: [
              licenseEvent({ license: _id, type: 'reissued', at, actor: accountId }),
              createdEvent(replacement),
            ],
          },
          idempotency,
        ),
      );
      // Another request has revoked or deleted it meanwhile.
      if (!reissued) throw (await this.get(_id, accountId)) && alreadyRevoked();
      return reissued;
    });
  }

  private async tryToRenew(
    license: License,
    months: number,
    idempotency: IdempotencyRecord | undefined,
  ): Promise<License | null> {
    const now = this.clock.now();
    if (license.status === 'PENDING') throw new DomainError('LICENSE_NOT_ACTIVATED');
    if (!can('renew', license, now)) throw alreadyRevoked();
    const term = renewedTerm(license, months, now);
    if (!term) throw new DomainError('LICENSE_TERM_TOO_LONG');
    const hadExpired = statusOf(license, now) === 'EXPIRED';
    const event = licenseEvent({
      license: license._id,
      type: 'renewed',
      at: now,
      actor: license.user,
      termEndedAt: hadExpired ? license.expiresAt : null,
    });
    return this.licenses.renew(license, { ...term, updatedAt: now }, event, idempotency);
  }
}

const alreadyRevoked = () => new DomainError('LICENSE_ALREADY_REVOKED');
