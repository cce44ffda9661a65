import { Injectable } from '@nestjs/common';
import { PROJECTS } from '../projects/project.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { type Page, type PageRequest, pageOf, readPage } from '../shared/pagination/page.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, insert, remove, replace, touch } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import {
  type ActivationRejection,
  byTime,
  countedAgain,
  eventsToDrop,
  EVENTS,
  expiredEvent,
  isAfter,
  type LicenseEvent,
  type LicenseEventType,
  rejectedEvent,
} from './license-event.js';
import type { License } from './license.js';
import { endOfTerm } from './license-transitions.js';

const NEWEST_FIRST = { by: 'at', direction: 'desc' } as const;

/** More events of one type than a license has. */
const ALL = 1_000;

@Injectable()
export class LicenseEventsService {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {}

  /** A page of a license's events, newest first: the stored ones, and the ends of its terms. */
  async list(license: License, page: PageRequest): Promise<Page<LicenseEvent>> {
    const oneMore = { ...page, limit: page.limit + 1 };
    const [{ data: stored }, renewals] = await Promise.all([
      readPage(this.store, EVENTS, eventsOf(license), NEWEST_FIRST, oneMore),
      this.listAll(eventsOf(license), 'renewed'),
    ]);
    const lastEnd = endOfTerm(license, this.clock.now());
    const ends = [...renewals.map(({ termEndedAt }) => termEndedAt), lastEnd];
    // Deduplicated by time: after a renewal between the two reads, both have the same end.
    const ended = new Map(ends.flatMap((end) => (end ? [[end.getTime(), end]] : [])));
    const expired = [...ended.values()]
      .map((end) => expiredEvent(license, end))
      .filter((event) => !page.after || isAfter(page.after, event));
    const newestFirst = [...stored, ...expired].sort(byTime);
    return pageOf(newestFirst, page.limit, 'at');
  }

  /** A page of the stored events of all licenses of an account, newest first. */
  listOfAccount(accountId: AccountId, page: PageRequest): Promise<Page<LicenseEvent>> {
    return readPage(this.store, EVENTS, { accountId }, NEWEST_FIRST, page);
  }

  /** The latest end of a license's certificates for machines without a network; null if it had none. */
  async lastCertificateEnd(license: License): Promise<Date | null> {
    const certificates = await this.listAll(eventsOf(license), 'certificate_issued');
    const ends = certificates.map(({ certificateExpiresAt }) => Number(certificateExpiresAt));
    return ends.length > 0 ? new Date(Math.max(...ends)) : null;
  }

  /** The changes that store a rejected activation or a certificate, and remove the events beyond those that the license keeps. */
  async addBounded(event: LicenseEvent): Promise<Change[]> {
    const { accountId, license, type } = event;
    const stored = await this.listAll({ accountId, license }, type);
    const dropped = eventsToDrop(stored, event).map((each) => remove(EVENTS, each));
    return [insert(EVENTS, event), ...dropped];
  }

  /** The changes that store an event which is counted by the day. */
  async addDaily(event: LicenseEvent): Promise<Change[]> {
    const before = await this.store.find(EVENTS, { _id: event._id });
    return before ? [replace(EVENTS, before, countedAgain(before, event))] : this.addBounded(event);
  }

  /** Counts a rejected activation; not where the project of the license was deleted meanwhile. */
  recordRejection(
    license: License,
    reason: ActivationRejection,
    machineId: string,
    at: Date,
  ): Promise<void> {
    const event = rejectedEvent(license, reason, machineId, at);
    const decide = async (failed?: Change) => {
      if (failed?.collection === PROJECTS) return { result: undefined, changes: [] };
      const changes = await this.addDaily(event);
      return { result: undefined, changes: [touch(PROJECTS, license.project), ...changes] };
    };
    return this.decisions.run(decide, { key: event._id });
  }

  private listAll(
    ofLicense: Pick<LicenseEvent, 'accountId' | 'license'>,
    type: LicenseEventType,
  ): Promise<LicenseEvent[]> {
    return this.store.list(EVENTS, { ...ofLicense, type }, NEWEST_FIRST, { limit: ALL });
  }
}

/** Selects the events of a license. The account is named because it takes turns with others in reads. */
const eventsOf = ({ _id: license, user: accountId }: License) => ({ accountId, license });
