import { Injectable } from '@nestjs/common';
import { CountedEvents } from '../events/counted-events.service.js';
import type { EventData } from '../events/event.js';
import { endOfLicense, type License, LICENSES } from '../licenses/license.js';
import {
  dailyLicenseEvent,
  licenseEvent,
  machineActor,
  newLicenseEvent,
} from '../licenses/license-events.js';
import { normalForm } from '../licenses/license-key-form.js';
import { unknownKey } from '../licenses/license-key.service.js';
import { activated, selfReleased } from '../licenses/license-transitions.js';
import { LastSeen } from '../machines/last-seen.service.js';
import type { Caller, Machine } from '../machines/machine.js';
import { lastCertificateEnd, holdsSeat, leaseEndOf } from '../machines/seat.js';
import { countSeats, Seats, storeMachine } from '../machines/seats.service.js';
import { countersOf, Metrics } from '../metrics/metrics.js';
import { PROJECTS } from '../projects/project.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { currentDeadline, withDeadline } from '../shared/request-context.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, replace, touch } from '../storage/changes.js';
import { type Decision, Decisions } from '../storage/decisions.js';
import {
  ACTIVATION_OUTCOMES,
  type ActivationRejection,
  decideUse,
  rejectionOf,
} from './decisions.js';
import type { ActivationResponse, HeartbeatResponse } from './dto/activation.response.js';
import { type FoundLicense, type LicenseCheck, LicenseChecks } from './license-checks.service.js';
import { Store } from '../storage/store.js';
import { Turns } from '../storage/turns.js';

/** A machine and its seat. */
interface Held {
  readonly outcome: 'activated' | 'already_active';
  readonly license: License;
  readonly machine: Machine;
  readonly certificate: string | undefined;
}

interface Rejected {
  readonly outcome: ActivationRejection;
  /** Null for an unknown key. */
  readonly found: FoundLicense | null;
  readonly at: Date;
}

/** Machines of a license that take seats at the same time. The others wait. */
const OF_LICENSE = 8;

const CONTENDED = { outcome: 'contended' } as const;

const ACTIVATION_MESSAGES = {
  activated: 'License activated',
  already_active: 'License already activated on this machine',
};

/** The seat operations of shipped software: activate, send a heartbeat, release. */
@Injectable()
export class ActivationService {
  private readonly activations = countersOf(
    this.metrics.counter('activations_total', 'Activations by outcome', 'outcome'),
    ACTIVATION_OUTCOMES,
  );

  private readonly turns = new Turns(OF_LICENSE);

  constructor(
    private readonly store: Store,
    private readonly checks: LicenseChecks,
    private readonly countedEvents: CountedEvents,
    private readonly decisions: Decisions,
    private readonly seats: Seats,
    private readonly lastSeen: LastSeen,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Gives a machine a seat on a license unless it holds one (specification, section 4.3).
   *
   * @throws DomainError for every {@link ActivationRejection}
   */
  activate(check: LicenseCheck, address: string): Promise<ActivationResponse> {
    return this.inTurn(check, () => this.activateInTurn(check, address));
  }

  private async activateInTurn(check: LicenseCheck, address: string): Promise<ActivationResponse> {
    const result = await this.takeSeat(check, address, false);
    this.activations[result.outcome].inc();
    if ('found' in result) {
      this.recordRejection(result);
      throw await this.errorOf(result, check);
    }
    const { outcome, license, machine, certificate } = result;
    if (outcome === 'already_active') this.lastSeen.markSeen(machine, this.clock.now());
    const leaseEndsAt = leaseEndOf(license, machine);
    return {
      success: true,
      message: ACTIVATION_MESSAGES[outcome],
      activatedAt: license.activatedAt!,
      expiresAt: endOfLicense(license),
      ...(license.updatesUntil && { updatesUntil: license.updatesUntil }),
      ...(leaseEndsAt && { leaseEndsAt }),
      ...(certificate !== undefined && { certificate }),
      ...(outcome === 'activated' && { machineId: machine.machineId }),
    };
  }

  /** Extends the lease of a machine. A machine without a seat takes a free one. */
  heartbeat(check: LicenseCheck, address: string): Promise<HeartbeatResponse> {
    return this.inTurn(check, () => this.heartbeatInTurn(check, address));
  }

  private async heartbeatInTurn(check: LicenseCheck, address: string): Promise<HeartbeatResponse> {
    requireFingerprint(check);
    const result = await this.takeSeat(check, address, true);
    if ('found' in result) throw await this.errorOf(result, check);
    const { license, machine, certificate } = result;
    return {
      success: true,
      message: 'Lease extended',
      leaseEndsAt: leaseEndOf(license, machine)!,
      ...(certificate !== undefined && { certificate }),
    };
  }

  /** Releases the seat of a machine. */
  async release(check: LicenseCheck, address: string): Promise<void> {
    requireFingerprint(check);
    const decide = async (): Promise<Decision<void>> => {
      const found = await this.checks.find(check, address);
      if (!found) throw unknownKey(check.key);
      const { license, machine, caller } = found;
      const now = this.clock.now();
      requireReleasable(license, machine, now);
      const { added, changes } = this.seats.release(license, machine, now);
      const certificateExpiresAt = lastCertificateEnd(license, machine, now);
      const details = { certificateExpiresAt };
      const event = await this.recordSeat('machine_released', license, caller, details, now);
      const ofLicense =
        license.leaseSeconds === null
          ? replace(LICENSES, license, {
              ...selfReleased(license, now),
              seats: license.seats + added,
            })
          : countSeats(license, added);
      return { result: undefined, changes: [...changes, ofLicense, event] };
    };
    await this.decisions.run(decide, { key: keyOf(check) });
  }

  /** Lets the machines of a license take turns, so that they keep nobody else waiting. */
  private inTurn<T>({ key }: LicenseCheck, work: () => Promise<T>): Promise<T> {
    return withDeadline(currentDeadline(), this.turns.run(normalForm(key), work));
  }

  /**
   * Machines of a license take seats at the same time. Machines that take over an expired seat do so one
   * after the other.
   */
  private async takeSeat(
    check: LicenseCheck,
    address: string,
    isHeartbeat: boolean,
  ): Promise<Held | Rejected> {
    const decide = (isExclusive: boolean) => () =>
      this.decide(check, address, isHeartbeat, isExclusive);
    const result = await this.decisions.run(decide(false), { key: keyOf(check) });
    if (result !== CONTENDED) return result as Held | Rejected;
    return (await this.decisions.run(decide(true), { key: check.key })) as Held | Rejected;
  }

  private async decide(
    check: LicenseCheck,
    address: string,
    isHeartbeat: boolean,
    isExclusive: boolean,
  ): Promise<Decision<Held | Rejected | typeof CONTENDED>> {
    const found = await this.checks.find(check, address);
    const now = this.clock.now();
    const rejected = (outcome: ActivationRejection) => ({
      result: { outcome, found, at: now },
      changes: [],
    });
    if (!found) return rejected('not_found');
    const { license: before, caller, signer, names } = found;
    const unusable = decideUse(before, now);
    if (unusable) return rejected(unusable);
    if (isHeartbeat) requireLease(before);
    const { fingerprint } = check;
    const request = { fingerprint, isCertified: signer !== undefined, isExclusive };
    const seat = await this.seats.take(found, request, now);
    if (seat === 'contended') return { result: CONTENDED, changes: [] };
    if (typeof seat === 'string') return rejected(seat);
    const { machine, wasHeld, isTaken, added } = seat;
    const active = activated(before, now);
    const isFirst = active !== before;
    const license = isFirst ? { ...active, seats: before.seats + added } : before;
    const changes: Change[] = [...storeMachine(seat.before, machine), ...seat.changes];
    if (isFirst) {
      // Prevents the project from being deleted meanwhile.
      changes.push(touch(PROJECTS, license.project), replace(LICENSES, before, license));
    } else if (isTaken) {
      changes.push(countSeats(before, added));
    }
    if (isTaken) {
      const details = { expiresAt: endOfLicense(license) };
      const isDaily = !isFirst && license.leaseSeconds !== null;
      changes.push(await this.recordSeat('activated', license, caller, details, now, isDaily));
    }
    const end = leaseEndOf(license, machine);
    const certificate = this.checks.sign({ license, signer, names }, check, end, now);
    const outcome = wasHeld ? 'already_active' : 'activated';
    return { result: { outcome, license, machine, certificate }, changes };
  }

  /**
   * The event of a seat taken or released. For a floating seat, once per machine and day, except for the
   * first activation.
   */
  private async recordSeat(
    type: 'activated' | 'machine_released',
    license: License,
    caller: Caller,
    details: EventData,
    now: Date,
    isDaily = license.leaseSeconds !== null,
  ): Promise<Change> {
    const { machineId } = caller;
    const event = { data: { machineId, ...details }, by: machineActor(caller) };
    return isDaily
      ? dailyLicenseEvent(this.store, type, license, machineId, now, event)
      : licenseEvent(type, license, now, event);
  }

  private async errorOf({ outcome, found, at }: Rejected, check: LicenseCheck) {
    if (!found) return unknownKey(check.key);
    const status = outcome === 'other_machine' ? 'machine_mismatch' : outcome;
    const proof = this.checks.signRejection(found, check, status, at);
    const nextLeaseEndsAt =
      outcome === 'machine_limit' ? await this.seats.nextLeaseEnd(found.license) : null;
    return rejectionOf(outcome, found.license, { proof, nextLeaseEndsAt });
  }

  /** Counts a rejection in its event of the day, unless the license's project has been deleted. */
  private recordRejection({ outcome, found, at }: Rejected): void {
    if (!found) return;
    const { license, caller } = found;
    const data = { reason: outcome, machineId: caller.machineId };
    const details = { data, by: machineActor(caller) };
    const event = newLicenseEvent('activation_rejected', license, at, details);
    this.countedEvents.record(event, outcome, touch(PROJECTS, license.project));
  }
}

/** The key that serializes the decisions about a machine. */
const keyOf = ({ key, fingerprint }: LicenseCheck) => `${key} ${fingerprint ?? ''}`;

function requireFingerprint({ fingerprint }: LicenseCheck): void {
  if (!fingerprint) throw new DomainError('FINGERPRINT_REQUIRED');
}

function requireLease({ leaseSeconds, status }: License): void {
  if (leaseSeconds === null) throw new DomainError('LICENSE_HAS_NO_LEASES');
  if (status === 'PENDING') throw new DomainError('LICENSE_NOT_ACTIVATED');
}

/** A floating machine can always release its seat, except with a certificate for offline activation. */
function requireReleasable(
  license: License,
  machine: Machine | null,
  now: Date,
): asserts machine is Machine {
  if (license.status === 'REVOKED') throw new DomainError('LICENSE_REVOKED');
  if (license.release !== 'self' && license.leaseSeconds === null) {
    throw new DomainError('RELEASE_NOT_ALLOWED');
  }
  if (!holdsSeat(license, machine, now)) throw new DomainError('MACHINE_NOT_FOUND');
  const { certificateEndsAt } = machine;
  if (certificateEndsAt && certificateEndsAt > now) {
    throw new DomainError('CERTIFICATE_OUTSTANDING');
  }
}
