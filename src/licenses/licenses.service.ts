import { Injectable } from '@nestjs/common';
import { planFor, PlansService } from '../plans/plans.service.js';
import { requireScope } from '../auth/principal.js';
import { changesOf, type EventData } from '../events/event.js';
import { PROJECTS } from '../projects/project.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids.js';
import type { Page, PageRequest } from '../shared/pagination/page.js';
import { AccountQuotas } from '../shared/quotas/account-totals.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, increment, insert, isUnchanged, replace, touch } from '../storage/changes.js';
import { type Decision, Decisions } from '../storage/decisions.js';
import { requestContext, requireTimeForStep } from '../shared/request-context.js';
import { omitUndefined } from '../storage/filter.js';
import { Seats } from '../machines/seats.service.js';
import type { LicenseChange } from './license-changes.js';
import { normalForm } from './license-key-form.js';
import { LicenseKeyService } from './license-key.service.js';
import type { LicenseFilterQuery } from './dto/license-list.query.js';
import { LicenseReader, type ShownLicense } from './license-reader.js';
import type { UpdateLicenseDto } from './dto/license.dto.js';
import { changedLicense, endsEarlier } from './license-terms.js';
import { forLength, isExpiryAnnounced, reissued, remainingTerm } from './license-transitions.js';
import { endOfLicense, type License, LICENSES, statusOf } from './license.js';
import type { TermLength } from './term.js';
import { UnknownKeyLimiter } from '../limits/unknown-key-limiter.js';
import { creationEvent, expiryEvent, licenseEvent } from './license-events.js';

const ONE_LICENSE = { licensesCount: 1 };

export interface Reissued {
  readonly revoked: ShownLicense;
  readonly license: ShownLicense;
}

@Injectable()
export class LicensesService {
  constructor(
    private readonly licenses: LicenseReader,
    private readonly keys: LicenseKeyService,
    private readonly plans: PlansService,
    private readonly seats: Seats,
    private readonly unknownKeys: UnknownKeyLimiter,
    private readonly quotas: AccountQuotas,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {}

  async show(_id: string, accountId: AccountId): Promise<ShownLicense> {
    return this.licenses.show(await this.licenses.get(_id, accountId), this.clock.now());
  }

  /** The license of the account with this key, or null. Unknown keys count towards a limit of the account. */
  async findByKey(key: string, accountId: AccountId): Promise<License | null> {
    const license = await this.licenses.findByKey(key);
    if (license?.user === accountId) return license;
    await this.unknownKeys.count(accountId, normalForm(key));
    return null;
  }

  list(accountId: AccountId, query: LicenseFilterQuery, page: PageRequest): Promise<Page<License>> {
    return this.licenses.list(accountId, query, page, this.clock.now());
  }

  /**
   * Changes the terms of a license, and its expiry date. A lower `maxMachines` frees the seats of machines whose lease has expired.
   *
   * @throws DomainError INSUFFICIENT_SCOPE if it expires earlier and the caller may not revoke licenses
   */
  async update(
    _id: string,
    accountId: AccountId,
    changes: UpdateLicenseDto,
    idempotency?: IdempotencyRecord,
  ): Promise<ShownLicense> {
    if (Object.keys(omitUndefined(changes)).length === 0) return this.show(_id, accountId);
    const apply = async (before: License, now: Date) => {
      const plan = await this.plans.find(changes.plan, accountId);
      const after = changedLicense(before, changes, planFor(before, plan), now);
      // An API key that may write licenses but not revoke them must not shorten them either.
      if (endsEarlier(before, after, now)) {
        requireScope(requestContext.getStore()?.principal, 'licenses:revoke');
      }
      return after;
    };
    const change = { type: 'updated', apply, dataOf: changedTerms } as const;
    return this.change(_id, accountId, change, idempotency);
  }

  /**
   * Commits a change of a license with its event; a change without effect has none. Its project cannot be deleted in the
   * meantime.
   */
  async change(
    _id: string,
    accountId: AccountId,
    { type, apply, dataOf, cause }: LicenseChange,
    idempotency?: IdempotencyRecord,
  ): Promise<ShownLicense> {
    const decide = async (): Promise<Decision<{ readonly shown?: ShownLicense }>> => {
      const before = await this.licenses.get(_id, accountId);
      const now = this.clock.now();
      const license = await apply(before, now);
      const show = async (as: License) => ({ shown: await this.licenses.show(as, now) });
      if (isUnchanged(before, license)) return { result: await show(before), changes: [] };
      const { removed, isLast } = await this.seats.freeSurplus(before, license.maxMachines, now);
      const seats = before.seats - removed.length;
      if (!isLast) {
        const step = increment(LICENSES, _id, { seats: -removed.length });
        return { result: {}, changes: [...removed, step], isStep: true };
      }
      const after = { ...license, seats };
      const data = dataOf(before, after, now);
      const holder = await this.licenses.findHolder(after.externalId, accountId);
      const changes = [
        touch(PROJECTS, after.project),
        ...(await this.licenses.freeExternalId(holder, _id)),
        ...removed,
        replace(LICENSES, before, after),
        licenseEvent(type, after, now, { data, ...cause }),
        ...(hasJustExpired(before, after, now) ? [expiryEvent(after, now)] : []),
      ];
      return { result: await show(after), changes };
    };
    for (;;) {
      const { shown } = await this.decisions.run(decide, { idempotency, key: _id });
      if (shown) return shown;
      requireTimeForStep();
    }
  }

  /**
   * Revokes a license and issues its replacement with a new key. The replaced license stays, so both count towards the quota.
   *
   * @param as `keepMachines` for the same license with a new key. With a length, or undefined for the rest of the term, the
   *   replacement is PENDING and has no machines
   */
  reissue(
    _id: string,
    accountId: AccountId,
    as: TermLength | 'keepMachines' | undefined,
    idempotency?: IdempotencyRecord,
  ): Promise<Reissued> {
    const decide = async (failed?: Change) => {
      await this.quotas.requireCounted(failed, accountId, ONE_LICENSE);
      const before = await this.licenses.get(_id, accountId);
      const { project, product } = before;
      const now = this.clock.now();
      const keepsMachines = as === 'keepMachines';
      const old = reissued(before, keepsMachines, now);
      const origin = { replaces: _id, original: before.original ?? _id };
      const length = keepsMachines ? undefined : as;
      const license = keepsMachines
        ? this.keys.replace({ ...before, ...origin }, now)
        : this.keys.issue(
            { ...before, ...(length ? forLength(length) : remainingTerm(before, now)), ...origin },
            now,
          );
      const changes = [
        increment(PROJECTS, project, ONE_LICENSE, { where: { product } }),
        this.quotas.add(accountId, ONE_LICENSE),
        replace(LICENSES, before, old),
        insert(LICENSES, license),
        licenseEvent('reissued', old, now, { data: { replacement: license._id } }),
        creationEvent(license),
      ];
      const result = {
        revoked: await this.licenses.show(old, now),
        license: await this.licenses.show(license, now),
      };
      return { result, changes };
    };
    return this.decisions.run(decide, { idempotency, key: _id });
  }
}

/** The changes recorded for an update: only names for metadata, and null as the expiry date of a perpetual license. */
const changedTerms = (before: License, license: License): EventData => {
  const both = [before, license];
  const data = changesOf(before, license, CHANGED_TERMS);
  return {
    ...data,
    ...(data.metadata !== undefined && { metadata: both.map(namesOfMetadata) }),
    ...(data.expiresAt !== undefined && { expiresAt: both.map(endOfLicense) }),
  };
};

/** Whether a change moves the expiry date of a license into the past, and no event has reported yet that it expired. */
const hasJustExpired = (before: License, after: License, now: Date): boolean =>
  after.expiresAt !== before.expiresAt &&
  statusOf(after, now) === 'EXPIRED' &&
  !isExpiryAnnounced(before, now);

const CHANGED_TERMS = [
  ...(['services', 'maxMachines', 'leaseSeconds', 'release', 'entitlements'] as const),
  ...(['metadata', 'externalId', 'plan', 'expiresAt', 'endIsFixed'] as const),
  ...(['updatesUntil', 'updatesDays'] as const),
];

const namesOfMetadata = ({ metadata }: License) => metadata.map(([name]) => name);
