import { Injectable } from '@nestjs/common';
import { type License, LICENSES } from '../licenses/license.js';
import { LicenseEvents, machineActor } from '../licenses/license-events.service.js';
import { selfReleased } from '../licenses/license-transitions.js';
import type { Machine } from '../machines/machine.js';
import { endOfCertificates, holdsSeat } from '../machines/seat.js';
import { countSeats, Seats } from '../machines/seats.service.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, replace } from '../storage/changes.js';
import { type Decision, Decisions } from '../storage/decisions.js';
import { decideActivation } from './decisions.js';
import { type FoundLicense, type LicenseCheck, LicenseChecks } from './license-checks.service.js';
import { type MachineDecision, MachineSeats } from './machine-seats.service.js';

export interface Heartbeat {
  readonly leaseEndsAt: Date;
  readonly certificate: string | undefined;
}

/** What a machine does with its seat of a license, besides taking it. */
@Injectable()
export class MachinesService {
  constructor(
    private readonly checks: LicenseChecks,
    private readonly holding: MachineSeats,
    private readonly seats: Seats,
    private readonly events: LicenseEvents,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {}

  /** Extends the lease of a machine. One without a seat takes a free one. */
  async heartbeat(check: LicenseCheck, address: string): Promise<Heartbeat> {
    const decide = async (isAlone: boolean): Promise<MachineDecision<Heartbeat>> => {
      const found = await this.find(check, address);
      const { license } = found;
      const now = this.clock.now();
      this.requireLease(found, check, now);
      const holding = await this.holding.hold(found, check, now, isAlone);
      if (holding === 'contended') return { result: {}, changes: [] };
      if (holding === 'trial_used') throw new DomainError('TRIAL_USED');
      if (holding === 'full') {
        const machines = { used: license.seats, max: license.maxMachines };
        throw new DomainError('MACHINE_LIMIT_REACHED', { machines });
      }
      const { leaseEndsAt, certificate, changes } = holding;
      return { result: { decided: { leaseEndsAt: leaseEndsAt!, certificate } }, changes };
    };
    return this.holding.decide(check, decide);
  }

  /** Gives up the seat of a machine. */
  async release(check: LicenseCheck, address: string): Promise<void> {
    const decide = async (): Promise<Decision<void>> => {
      const { license, machine, caller } = await this.find(check, address);
      const now = this.clock.now();
      requireReleasable(license, machine, now);
      const certificateExpiresAt = endOfCertificates(license, machine, now);
      const data = { machineId: machine.machineId, certificateExpiresAt };
      const details = { data, by: machineActor(caller) };
      const { added, changes } = this.seats.release(license, machine, now);
      const seats = license.seats + added;
      const ofLicense: Change[] =
        license.leaseSeconds === null
          ? [
              replace(LICENSES, license, { ...selfReleased(license, now), seats }),
              this.events.record('machine_released', license, now, details),
            ]
          : [
              countSeats(license, added),
              await this.events.recordDaily(
                'machine_released',
                license,
                machine.machineId,
                now,
                details,
              ),
            ];
      return { result: undefined, changes: [...changes, ...ofLicense] };
    };
    await this.decisions.run(decide, { key: `${check.key} ${check.fingerprint ?? ''}` });
  }

  private async find(check: LicenseCheck, address: string): Promise<FoundLicense> {
    if (!check.fingerprint) throw new DomainError('FINGERPRINT_REQUIRED');
    const found = await this.checks.find(check, address);
    if (!found) throw new DomainError('LICENSE_NOT_FOUND');
    return found;
  }

  /** Rejects a heartbeat of a license that may not be used, or whose seats have no leases. */
  private requireLease(found: FoundLicense, check: LicenseCheck, now: Date): void {
    const { license, machine } = found;
    const decision = decideActivation(license, machine, now);
    const rejection = this.checks.signRejection(found, check, decision, now);
    const proof = rejection === undefined ? {} : { rejection };
    switch (decision) {
      case 'revoked':
        throw new DomainError('LICENSE_REVOKED', proof);
      case 'suspended':
        throw new DomainError('LICENSE_SUSPENDED', proof);
      case 'expired':
        throw new DomainError('LICENSE_EXPIRED', proof);
      case 'activate':
      case 'already_active':
        if (license.leaseSeconds === null) throw new DomainError('LICENSE_HAS_NO_LEASES');
        if (license.status === 'PENDING') throw new DomainError('LICENSE_NOT_ACTIVATED');
    }
  }
}

/** Rejects a release. A floating machine may always give its seat back, except with a certificate for offline activation. */
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
