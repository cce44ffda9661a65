import { Injectable } from '@nestjs/common';
import { planFor } from '../plans/plan.js';
import { PlanReader } from '../plans/plan-reader.js';
import { changesOf, type EventData } from '../events/event.js';
import { PROJECTS } from '../projects/project.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids/account-id.js';
import type { Page, PageRequest } from '../shared/pagination/page.js';
import { AccountQuotas } from '../shared/quotas/account-totals.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, increment, insert, isUnchanged, replace, touch } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { given } from '../storage/filter.js';
import { ExternalIds } from './external-ids.js';
import { LicenseEvents } from './license-events.service.js';
import { LicenseKeyService } from './license-key.service.js';
import type { LicenseQuery } from './license-query.js';
import { LicenseReader } from './license-reader.js';
import { changedLicense, type LicenseChanges } from './license-terms.js';
import {
  reissued,
  released,
  remainingTerm,
  renewed,
  resumed,
  revoked,
  suspended,
} from './license-transitions.js';
import { endOfLicense, type License, LICENSES, shownAt, statusOf } from './license.js';
import { type Machine, machinesInUse } from './machine.js';
import type { TermLength } from './term.js';
import { UnknownKeyLimiter } from './unknown-key-limiter.js';

const ONE_LICENSE = { licensesCount: 1 };

export interface Reissued {
  readonly revoked: License;
  readonly license: License;
}

@Injectable()
export class LicensesService {
  constructor(
    private readonly licenses: LicenseReader,
    private readonly events: LicenseEvents,
    private readonly keys: LicenseKeyService,
    private readonly plans: PlanReader,
    private readonly externalIds: ExternalIds,
    private readonly unknownKeys: UnknownKeyLimiter,
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

  /**
   * The license of the account with this key, or null.
   *
   * @throws DomainError TOO_MANY_REQUESTS after too many unknown keys
   */
  async findByKey(key: string, accountId: AccountId): Promise<License | null> {
    const license = await this.licenses.findByKey(key);
    if (license?.user === accountId) return license;
    await this.unknownKeys.count(accountId, key);
    return null;
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
      if (license === before) return { result: shownAt(license, now), changes: [] };
      const event = this.events.record('revoked', license, now, { data: { reason } });
      return { result: license, changes: [replace(LICENSES, before, license), event] };
    };
    return this.decisions.run(decide, { idempotency, key: _id });
  }

  /**
   * Extends the term of an ACTIVE license, or starts a new one for an EXPIRED license.
   *
   * @throws DomainError LICENSE_NOT_FOUND, LICENSE_NOT_ACTIVATED, LICENSE_ALREADY_REVOKED, LICENSE_IS_PERPETUAL,
   *   LICENSE_TERM_TOO_LONG, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_QUOTA_REACHED
   */
  renew(
    _id: string,
    accountId: AccountId,
    length: TermLength,
    idempotency?: IdempotencyRecord,
  ): Promise<License> {
    const dataOf = (before: License, license: License) => ({
      expiresAt: [endOfLicense(before), endOfLicense(license)],
      ...length,
    });
    const change = (before: License, now: Date) => renewed(before, length, now);
    return this.change(_id, accountId, 'renewed', change, dataOf, idempotency);
  }

  /**
   * Suspends a license until it is resumed; a suspended one is left unchanged. Its project cannot be deleted meanwhile.
   *
   * @throws DomainError LICENSE_NOT_FOUND, LICENSE_ALREADY_REVOKED, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_QUOTA_REACHED
   */
  suspend(_id: string, accountId: AccountId, idempotency?: IdempotencyRecord): Promise<License> {
    return this.change(_id, accountId, 'suspended', suspended, statuses, idempotency);
  }

  /**
   * Ends the suspension of a license; one that is not suspended is left unchanged.
   *
   * @throws DomainError LICENSE_NOT_FOUND, LICENSE_ALREADY_REVOKED, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_QUOTA_REACHED
   */
  resume(_id: string, accountId: AccountId, idempotency?: IdempotencyRecord): Promise<License> {
    return this.change(_id, accountId, 'resumed', resumed, statuses, idempotency);
  }

  /**
   * Changes the terms of a license, but not its term.
   *
   * @throws DomainError LICENSE_NOT_FOUND, LICENSE_ALREADY_REVOKED, MACHINES_IN_USE, PLAN_NOT_FOUND, PLAN_OF_ANOTHER_PRODUCT,
   *   LICENSE_EXISTS
   */
  async update(_id: string, accountId: AccountId, changes: LicenseChanges): Promise<License> {
    if (Object.keys(given(changes)).length === 0) {
      return shownAt(await this.get(_id, accountId), this.clock.now());
    }
    const change = async (before: License, now: Date) => {
      const plan = await this.plans.find(changes.plan, accountId);
      return changedLicense(before, changes, planFor(before, plan), now);
    };
    return this.change(_id, accountId, 'updated', change, changedTerms);
  }

  /** @throws DomainError LICENSE_NOT_FOUND */
  async listMachines(_id: string, accountId: AccountId): Promise<readonly Machine[]> {
    return machinesInUse(await this.get(_id, accountId), this.clock.now());
  }

  /**
   * Releases a machine. Its certificates stay valid until they end, which the event names.
   *
   * @throws DomainError LICENSE_NOT_FOUND, MACHINE_NOT_FOUND
   */
  async releaseMachine(_id: string, accountId: AccountId, machineId: string): Promise<void> {
    const decide = async () => {
      const before = await this.get(_id, accountId);
      const now = this.clock.now();
      const { license, certificateEndsAt } = released(before, machineId, now);
      const data = { machineId, certificateExpiresAt: certificateEndsAt };
      const event = this.events.record('machine_released', license, now, { data });
      return { result: undefined, changes: [replace(LICENSES, before, license), event] };
    };
    await this.decisions.run<void>(decide, { key: _id });
  }

  /**
   * Commits a change of a license; one that changes nothing is no event.
   *
   * @param dataOf the data of its event
   */
  private change(
    _id: string,
    accountId: AccountId,
    type: 'renewed' | 'suspended' | 'resumed' | 'updated',
    changed: (before: License, now: Date) => License | Promise<License>,
    dataOf: (before: License, license: License, now: Date) => EventData,
    idempotency?: IdempotencyRecord,
  ): Promise<License> {
    const decide = async () => {
      const before = await this.get(_id, accountId);
      const now = this.clock.now();
      const license = await changed(before, now);
      if (isUnchanged(before, license)) return { result: shownAt(before, now), changes: [] };
      const data = dataOf(before, license, now);
      const changes = [
        touch(PROJECTS, license.project),
        ...(await this.externalIds.freeing(license.externalId, accountId, _id)),
        replace(LICENSES, before, license),
        this.events.record(type, license, now, { data }),
      ];
      return { result: license, changes };
    };
    return this.decisions.run(decide, { idempotency, key: _id });
  }

  /**
   * Revokes a license and issues its replacement, with a new key, unbound and PENDING. The replaced license stays, so both count
   * towards the quota.
   *
   * @param length of the replacement's term; what is left of that of the license where undefined
   * @throws DomainError LICENSE_NOT_FOUND, LICENSE_ALREADY_REVOKED, LICENSE_SUSPENDED, TERM_REQUIRED, LICENSE_QUOTA_REACHED,
   *   IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_QUOTA_REACHED
   */
  reissue(
    _id: string,
    accountId: AccountId,
    length: TermLength | undefined,
    idempotency?: IdempotencyRecord,
  ): Promise<Reissued> {
    const decide = async (failed?: Change) => {
      await this.quotas.explain(failed, accountId, ONE_LICENSE);
      const before = await this.get(_id, accountId);
      const { project, product } = before;
      const now = this.clock.now();
      const old = reissued(before, now);
      const origin = { replaces: _id, original: before.original ?? _id };
      const terms = { ...before, ...(length ?? remainingTerm(before, now)), ...origin };
      const license = this.keys.issue(terms, now);
      const changes = [
        increment(PROJECTS, project, ONE_LICENSE, { where: { product } }),
        this.quotas.add(accountId, ONE_LICENSE),
        replace(LICENSES, before, old),
        insert(LICENSES, license),
        this.events.record('reissued', old, now, { data: { replacement: license._id } }),
        this.events.recordCreation(license),
      ];
      return { result: { revoked: old, license }, changes };
    };
    return this.decisions.run(decide, { idempotency, key: _id });
  }
}

const statuses = (before: License, license: License, now: Date): EventData => ({
  status: [statusOf(before, now), statusOf(license, now)],
});

/** What an update has changed; of metadata the names alone. */
const changedTerms = (before: License, license: License): EventData => {
  const data = changesOf(before, license, CHANGED_TERMS);
  return data.metadata ? { ...data, metadata: [before, license].map(namesOfMetadata) } : data;
};

const CHANGED_TERMS = [
  ...(['services', 'maxMachines', 'leaseSeconds', 'release', 'entitlements'] as const),
  ...(['metadata', 'externalId', 'plan'] as const),
];

const namesOfMetadata = ({ metadata }: License) => metadata.map(([name]) => name);
