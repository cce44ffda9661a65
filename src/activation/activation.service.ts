import { Injectable } from '@nestjs/common';
import type { License } from '../licenses/license.js';
import { LicenseEvents, machineActor } from '../licenses/license-events.service.js';
import { LastSeen } from '../machines/last-seen.service.js';
import type { Caller } from '../machines/machine.js';
import { Machines } from '../machines/machines.service.js';
import { isOfOneMachine, leaseEndOf } from '../machines/seat.js';
import { PROJECTS } from '../projects/project.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, touch } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import {
  type ActivationRejection,
  decideActivation,
  decideValidation,
  type ValidationStatus,
} from './decisions.js';
import { type FoundLicense, type LicenseCheck, LicenseChecks } from './license-checks.service.js';
import { type Held, type MachineDecision, MachineSeats } from './machine-seats.service.js';
import { OutcomeMetrics } from './outcome-metrics.js';

/** How many seats of a license are taken, of how many. */
export interface SeatsUsed {
  readonly used: number;
  readonly max: number;
}

/** The outcome of an activation, with the license and the machine if the response shows them. */
export type ActivationOutcome =
  | (Held & { readonly outcome: 'activated' | 'already_active' })
  | { readonly outcome: 'not_found' }
  | Rejection;

interface Rejection {
  readonly outcome: ActivationRejection;
  readonly machines: SeatsUsed;
  /** Signed, if it was requested. */
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
  /** If it is a rejection. */
  readonly rejected?: Rejected;
}

/** The outcome of a validation; without a license if the key is unknown. */
export type ValidationResult =
  | {
      readonly status: Exclude<ValidationStatus, 'invalid'>;
      readonly license: License;
      /** The end of the machine's lease, if the license is active there and has leases. */
      readonly leaseEndsAt: Date | null;
      /** For a license with more than one seat, with leases, or without a machine. */
      readonly machines: SeatsUsed | undefined;
      readonly certificate: string | undefined;
      readonly rejection: string | undefined;
    }
  | { readonly status: 'invalid' };

/** Activates and validates license keys for shipped software. */
@Injectable()
export class ActivationService {
  constructor(
    private readonly checks: LicenseChecks,
    private readonly events: LicenseEvents,
    private readonly decisions: Decisions,
    private readonly machines: Machines,
    private readonly seats: MachineSeats,
    private readonly lastSeen: LastSeen,
    private readonly clock: Clock,
    private readonly metrics: OutcomeMetrics,
  ) {}

  /** Gives a machine a seat of a license, unless it holds one or the license may not be used (specification, section 4.3). */
  async activate(check: LicenseCheck, address: string): Promise<ActivationOutcome> {
    const decide = (isAlone: boolean) => this.decide(check, address, isAlone);
    const { result, rejected } = await this.seats.decide(check, decide);
    this.metrics.activations[result.outcome].inc();
    if (result.outcome === 'already_active') this.lastSeen.note(result.machine, this.clock.now());
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
    const { license, machine } = found;
    const now = this.clock.now();
    const status = decideValidation(license, machine, now);
    this.metrics.validations[status].inc();
    if (status === 'active') {
      this.lastSeen.note(machine!, now);
      // The record of a machine has the certificates of its lease, and validation changes nothing.
      const isSigned = license.leaseSeconds === null;
      const certificate = isSigned ? this.checks.sign(found, check, null, now) : undefined;
      const leaseEndsAt = leaseEndOf(license, machine!);
      return {
        status,
        license,
        leaseEndsAt,
        machines: undefined,
        certificate,
        rejection: undefined,
      };
    }
    const machines =
      status === 'machine_mismatch' ? await this.seatsToTell(license, now) : undefined;
    const rejection = this.checks.signRejection(found, check, status, now);
    return { status, license, leaseEndsAt: null, machines, certificate: undefined, rejection };
  }

  private async decide(
    check: LicenseCheck,
    address: string,
    isAlone: boolean,
  ): Promise<MachineDecision<Decided>> {
    const found = await this.checks.find(check, address);
    if (!found) return { result: { decided: { result: { outcome: 'not_found' } } }, changes: [] };
    const { license } = found;
    const now = this.clock.now();
    const outcome = decideActivation(license, found.machine, now);
    if (outcome !== 'activate' && outcome !== 'already_active') {
      return this.reject(found, check, outcome, now);
    }
    const holding = await this.seats.hold(found, check, now, isAlone);
    if (holding === 'contended') return { result: {}, changes: [] };
    if (holding === 'trial_used') return this.reject(found, check, 'trial_used', now);
    if (holding === 'full') {
      const reason = isOfOneMachine(license) ? 'other_machine' : 'machine_limit';
      return this.reject(found, check, reason, now);
    }
    const { changes, ...held } = holding;
    const result =
      outcome === 'activate' ? { outcome: 'activated' as const, ...held } : { outcome, ...held };
    return { result: { decided: { result } }, changes };
  }

  private async seatsToTell(license: License, now: Date): Promise<SeatsUsed | undefined> {
    const used = await this.machines.countTaken(license, now);
    return isOfOneMachine(license) && used > 0 ? undefined : { used, max: license.maxMachines };
  }

  private reject(
    found: FoundLicense,
    check: LicenseCheck,
    reason: ActivationRejection,
    at: Date,
  ): MachineDecision<Decided> {
    const { license, caller } = found;
    const status = reason === 'other_machine' ? 'machine_mismatch' : reason;
    const rejection = this.checks.signRejection(found, check, status, at);
    // Of a license that is full, each record is a seat that is taken.
    const machines = { used: license.seats, max: license.maxMachines };
    const result = { outcome: reason, machines, rejection };
    return {
      result: { decided: { result, rejected: { license, reason, caller, at } } },
      changes: [],
    };
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
