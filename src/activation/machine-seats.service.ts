import { Injectable } from '@nestjs/common';
import { endOfLicense, type License, LICENSES } from '../licenses/license.js';
import { LicenseEvents, machineActor } from '../licenses/license-events.service.js';
import { activated } from '../licenses/license-transitions.js';
import { type Caller, type Machine, MACHINES } from '../machines/machine.js';
import { extended, leaseEndOf } from '../machines/seat.js';
import { countSeats, type NoSeat, Seats } from '../machines/seats.service.js';
import { PROJECTS } from '../projects/project.js';
import { type Change, insert, replace, touch } from '../storage/changes.js';
import { type Decision, Decisions } from '../storage/decisions.js';
import { type FoundLicense, type LicenseCheck, LicenseChecks } from './license-checks.service.js';
import { Trials } from './trials.service.js';

/** A seat that a machine holds. */
export interface Held {
  readonly license: License;
  readonly machine: Machine;
  /** The end of its lease; null without one. */
  readonly leaseEndsAt: Date | null;
  readonly certificate: string | undefined;
}

/** The changes by which it takes or keeps the seat. */
interface Holding extends Held {
  readonly changes: readonly Change[];
}

/** A decision over a machine: undefined if it needs a seat that other machines may be after, too. */
export type MachineDecision<T> = Decision<{ readonly decided?: T }>;

/** Gives machines that call the seats of licenses. */
@Injectable()
export class MachineSeats {
  constructor(
    private readonly checks: LicenseChecks,
    private readonly events: LicenseEvents,
    private readonly decisions: Decisions,
    private readonly seats: Seats,
    private readonly trials: Trials,
  ) {}

  /**
   * Decides over a machine. Machines of a license decide at the same time, unless one takes the seat of another machine, whose lease
   * has ended: they do so one after the other.
   *
   * @param decide told whether it is the only one that takes a seat of the license
   */
  async decide<T>(
    { key, fingerprint }: LicenseCheck,
    decide: (isAlone: boolean) => Promise<MachineDecision<T>>,
  ): Promise<T> {
    const ofMachine = `${key} ${fingerprint ?? ''}`;
    const { decided } = await this.decisions.run(() => decide(false), { key: ofMachine });
    if (decided !== undefined) return decided;
    return (await this.decisions.run(() => decide(true), { key })).decided!;
  }

  /**
   * Gives a machine a seat: its own one, or one that is free, with a certificate if one is requested.
   *
   * @returns `trial_used` if it has activated another license of a plan that each machine may use once
   * @throws DomainError MACHINE_QUOTA_REACHED
   */
  async hold(
    found: FoundLicense,
    check: LicenseCheck,
    now: Date,
    isAlone: boolean,
  ): Promise<Holding | NoSeat | 'trial_used'> {
    const { license: before, machine: own, caller, signer } = found;
    if (own) {
      const machine = extended(before, own, caller, signer !== undefined, now);
      const changes = machine === own ? [] : [replace(MACHINES, own, machine)];
      const retaking = own.isReleased
        ? [countSeats(before, 0), await this.recordSeat(before, caller, now)]
        : [];
      return this.held(found, check, before, machine, [...changes, ...retaking], now);
    }
    const seat = await this.seats.take(before, caller, signer !== undefined, now, isAlone);
    if (typeof seat === 'string') return seat;
    const trial = await this.trials.changesOf(before, check, now);
    if (!trial) return 'trial_used';
    const license = activated(before, now);
    const activation =
      license === before
        ? [countSeats(before, seat.added), await this.recordSeat(license, caller, now)]
        : this.begin(before, { ...license, seats: before.seats + seat.added }, caller, now);
    const { machine } = seat;
    const changes = [insert(MACHINES, machine), ...seat.changes, ...trial, ...activation];
    return this.held(found, check, license, machine, changes, now);
  }

  private held(
    { signer }: FoundLicense,
    check: LicenseCheck,
    license: License,
    machine: Machine,
    changes: readonly Change[],
    now: Date,
  ): Holding {
    const leaseEndsAt = leaseEndOf(license, machine);
    const certificate = this.checks.sign({ license, signer }, check, leaseEndsAt, now);
    return { license, machine, leaseEndsAt, certificate, changes };
  }

  /** The changes of a first activation. The project cannot be deleted meanwhile. */
  private begin(before: License, license: License, caller: Caller, now: Date): Change[] {
    const event = this.events.record('activated', license, now, activationOf(license, caller));
    return [touch(PROJECTS, before.project), replace(LICENSES, before, license), event];
  }

  /** The event of a seat that is taken; of a floating one, once a day for each machine. */
  private async recordSeat(license: License, caller: Caller, now: Date): Promise<Change> {
    const details = activationOf(license, caller);
    return license.leaseSeconds === null
      ? this.events.record('activated', license, now, details)
      : this.events.recordDaily('activated', license, caller.machineId, now, details);
  }
}

const activationOf = (license: License, caller: Caller) => ({
  data: { machineId: caller.machineId, expiresAt: endOfLicense(license) },
  by: machineActor(caller),
});
