import { Injectable } from '@nestjs/common';
import { endOfLicense, type License, LICENSES } from '../licenses/license.js';
import { LicenseEvents, machineActor } from '../licenses/license-events.service.js';
import { activated } from '../licenses/license-transitions.js';
import {
  type Caller,
  isOfOneMachine,
  type Machine,
  placeOf,
  placesTaken,
  withHeartbeat,
} from '../licenses/machine.js';
import { PROJECTS } from '../projects/project.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, replace, touch } from '../storage/changes.js';
import { type Decision, Decisions } from '../storage/decisions.js';
import {
  type ActivationRejection,
  decideActivation,
  decideValidation,
  type ValidationStatus,
} from './decisions.js';
import { type FoundLicense, type LicenseCheck, LicenseChecks } from './license-checks.service.js';
import { LastSeen } from './last-seen.service.js';
import { OutcomeMetrics } from './outcome-metrics.js';
import { Trials } from './trials.service.js';

/** How many places of a license are taken, of how many. */
export interface PlacesUsed {
  readonly used: number;
  readonly max: number;
}

interface Place {
  readonly license: License;
  readonly place: Machine;
  readonly certificate: string | undefined;
}

/** The place of a machine, and the changes by which it takes or keeps it. */
interface Placed extends Place {
  readonly changes: readonly Change[];
}

/** The outcome of an activation, with the license and the machine's place where the response shows them. */
export type ActivationOutcome =
  | (Place & { readonly outcome: 'activated' | 'already_active' })
  | { readonly outcome: 'not_found' }
  | Rejection;

interface Rejection {
  readonly outcome: ActivationRejection;
  readonly machines: PlacesUsed;
  /** Signed, where it was requested. */
  readonly rejection: string | undefined;
  /** Why the event of the rejection could not be stored; for the log alone. */
  readonly unrecorded?: Error | undefined;
}

/** What the event of a rejected activation tells. */
interface Rejected {
  readonly license: License;
  readonly reason: ActivationRejection;
  readonly caller: Caller;
  readonly at: Date;
}

interface Decided {
  readonly result: ActivationOutcome;
  /** Where it is a rejection. */
  readonly rejected?: Rejected;
}

/** The outcome of a validation; without a license where the key is unknown. */
export type ValidationResult =
  | {
      readonly status: Exclude<ValidationStatus, 'invalid'>;
      readonly license: License;
      /** The place of the machine where the license is active there. */
      readonly place: Machine | undefined;
      /** Of a license with more than one place, with leases, or without a machine. */
      readonly machines: PlacesUsed | undefined;
      readonly certificate: string | undefined;
      readonly rejection: string | undefined;
    }
  | { readonly status: 'invalid' };

/**
 * Activates and validates license keys for shipped software.
 *
 * @throws DomainError as {@link LicenseChecks.find}
 */
@Injectable()
export class ActivationService {
  constructor(
    private readonly checks: LicenseChecks,
    private readonly events: LicenseEvents,
    private readonly decisions: Decisions,
    private readonly trials: Trials,
    private readonly lastSeen: LastSeen,
    private readonly clock: Clock,
    private readonly metrics: OutcomeMetrics,
  ) {}

  /** Gives a machine a place of a license, unless it has one or the license may not be used (specification, section 4.3). */
  async activate(check: LicenseCheck, address: string): Promise<ActivationOutcome> {
    const decide = () => this.decide(check, address);
    const { result, rejected } = await this.decisions.run(decide, { key: check.key });
    this.metrics.activations[result.outcome].inc();
    if (result.outcome === 'already_active') {
      this.lastSeen.note(result.license, result.place, this.clock.now());
    }
    // Stored afterwards, so that other machines do not wait for it.
    return rejected ? this.withRecord(result as Rejection, rejected) : result;
  }

  /** Checks whether a license may be used on a machine. Changes nothing. */
  async validate(check: LicenseCheck, address: string): Promise<ValidationResult> {
    const found = await this.checks.find(check, address);
    if (!found) {
      this.metrics.validations.invalid.inc();
      return { status: 'invalid' };
    }
    const { license } = found;
    const now = this.clock.now();
    const { machineId } = this.checks.callerOf(check, license);
    const status = decideValidation(license, machineId, now);
    this.metrics.validations[status].inc();
    if (status === 'active') {
      const place = placeOf(license, machineId, now)!;
      this.lastSeen.note(license, place, now);
      // A certificate of a lease is remembered with its place, and validation changes nothing.
      const isSigned = license.leaseSeconds === null;
      const certificate = isSigned ? this.checks.sign(found, check, null, now) : undefined;
      return { status, license, place, machines: undefined, certificate, rejection: undefined };
    }
    const isTold = !isOfOneMachine(license) || placesTaken(license, now) === 0;
    const machines = isTold ? placesUsed(license, now) : undefined;
    const rejection = this.checks.signRejection(found, check, status, now);
    return { status, license, place: undefined, machines, certificate: undefined, rejection };
  }

  /**
   * Gives a machine its place, which it has or which is free, with a certificate where one is requested.
   *
   * @param isNew whether it has none yet
   * @returns null where it has activated another license of a plan that each machine may use once
   */
  async takePlace(
    { license: before, signer }: FoundLicense,
    check: LicenseCheck,
    caller: Caller,
    isNew: boolean,
    now: Date,
  ): Promise<Placed | null> {
    const trial = isNew ? await this.trials.changesOf(before, check, now) : [];
    if (!trial) return null;
    const bound = isNew ? activated(before, caller, now) : before;
    const license = withHeartbeat(bound, caller, signer !== undefined, now);
    const place = placeOf(license, caller.machineId, now)!;
    const certificate = this.checks.sign({ license, signer }, check, place.leaseEndsAt, now);
    const replaced = license === before ? [] : [replace(LICENSES, before, license)];
    const activation = isNew ? await this.recordActivation(license, caller, before, now) : [];
    return { license, place, certificate, changes: [...replaced, ...trial, ...activation] };
  }

  private async decide(check: LicenseCheck, address: string): Promise<Decision<Decided>> {
    const found = await this.checks.find(check, address);
    if (!found) return { result: { result: { outcome: 'not_found' } }, changes: [] };
    const { license } = found;
    const now = this.clock.now();
    const caller = this.checks.callerOf(check, license);
    const decision = decideActivation(license, caller.machineId, now);
    if (decision !== 'activate' && decision !== 'already_active') {
      return this.reject(found, check, decision, caller, now);
    }
    const isNew = decision === 'activate';
    const placed = await this.takePlace(found, check, caller, isNew, now);
    if (!placed) return this.reject(found, check, 'trial_used', caller, now);
    const { changes, ...shown } = placed;
    const outcome = isNew ? 'activated' : 'already_active';
    return { result: { result: { outcome, ...shown } }, changes };
  }

  /** The changes that record an activation. The project of a PENDING license cannot be deleted meanwhile. */
  private async recordActivation(
    license: License,
    caller: Caller,
    before: License,
    now: Date,
  ): Promise<Change[]> {
    const { machineId } = caller;
    const data = { machineId, expiresAt: endOfLicense(license) };
    const details = { data, by: machineActor(caller) };
    if (before.status === 'PENDING') {
      const event = this.events.record('activated', license, now, details);
      return [touch(PROJECTS, before.project), event];
    }
    return [
      before.leaseSeconds === null
        ? this.events.record('activated', license, now, details)
        : await this.events.recordDaily('activated', license, machineId, now, details),
    ];
  }

  private reject(
    found: FoundLicense,
    check: LicenseCheck,
    reason: ActivationRejection,
    caller: Caller,
    at: Date,
  ): Decision<Decided> {
    const { license } = found;
    const status = reason === 'other_machine' ? 'machine_mismatch' : reason;
    const rejection = this.checks.signRejection(found, check, status, at);
    const result = { outcome: reason, machines: placesUsed(license, at), rejection };
    return { result: { result, rejected: { license, reason, caller, at } }, changes: [] };
  }

  /** Stores the event of a rejection. A failure of the store does not change the response, and is returned. */
  private async withRecord(result: Rejection, rejected: Rejected): Promise<Rejection> {
    try {
      await this.recordRejection(rejected);
      return result;
    } catch (cause) {
      const message = 'The event of a rejected activation was not stored';
      return { ...result, unrecorded: new Error(message, { cause }) };
    }
  }

  /** Counts a rejected activation by its reason; not where the project of the license was deleted meanwhile. */
  private recordRejection({ license, reason, caller, at }: Rejected): Promise<void> {
    const details = { data: { reason, machineId: caller.machineId }, by: machineActor(caller) };
    const decide = async (failed?: Change) => {
      if (failed?.collection === PROJECTS) return { result: undefined, changes: [] };
      const event = await this.events.recordDaily(
        'activation_rejected',
        license,
        reason,
        at,
        details,
      );
      return { result: undefined, changes: [touch(PROJECTS, license.project), event] };
    };
    return this.decisions.run(decide, { key: `${license._id} ${reason}` });
  }
}

export const placesUsed = (license: License, now: Date): PlacesUsed => ({
  used: placesTaken(license, now),
  max: license.maxMachines,
});
