import { Injectable } from '@nestjs/common';
import { type License, LICENSES } from '../licenses/license.js';
import { LicenseEvents, machineActor } from '../licenses/license-events.service.js';
import { selfReleased } from '../licenses/license-transitions.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { Clock } from '../shared/time/clock.js';
import { replace } from '../storage/changes.js';
import { type Decision, Decisions } from '../storage/decisions.js';
import { ActivationService, placesUsed } from './activation.service.js';
import { decideActivation } from './decisions.js';
import { type FoundLicense, type LicenseCheck, LicenseChecks } from './license-checks.service.js';

export interface Heartbeat {
  readonly leaseEndsAt: Date;
  readonly certificate: string | undefined;
}

/**
 * What a machine does with its place of a license, besides taking it.
 *
 * @throws DomainError as {@link LicenseChecks.find}; FINGERPRINT_REQUIRED, LICENSE_NOT_FOUND, LICENSE_REVOKED
 */
@Injectable()
export class MachinesService {
  constructor(
    private readonly checks: LicenseChecks,
    private readonly activations: ActivationService,
    private readonly events: LicenseEvents,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {}

  /**
   * Extends the lease of a machine. One without a place takes a free one.
   *
   * @throws DomainError LICENSE_SUSPENDED, LICENSE_EXPIRED, LICENSE_HAS_NO_LEASES, LICENSE_NOT_ACTIVATED, MACHINE_LIMIT_REACHED,
   *   TRIAL_USED
   */
  heartbeat(check: LicenseCheck, address: string): Promise<Heartbeat> {
    return this.decide(check, address, async (found, now) => {
      const { license } = found;
      const caller = this.checks.callerOf(check, license);
      const prove = (status: string) => this.checks.signRejection(found, check, status, now);
      const isNew = requireLease(license, caller.machineId, now, prove) === 'activate';
      const placed = await this.activations.takePlace(found, check, caller, isNew, now);
      if (!placed) throw new DomainError('TRIAL_USED');
      const { place, certificate, changes } = placed;
      return { result: { leaseEndsAt: place.leaseEndsAt!, certificate }, changes };
    });
  }

  /**
   * Gives up the place of a machine.
   *
   * @throws DomainError as {@link selfReleased}
   */
  async release(check: LicenseCheck, address: string): Promise<void> {
    await this.decide<void>(check, address, async ({ license: before }, now) => {
      const caller = this.checks.callerOf(check, before);
      const { machineId } = caller;
      if (before.status === 'REVOKED') throw new DomainError('LICENSE_REVOKED');
      const { license, certificateEndsAt } = selfReleased(before, machineId, now);
      const data = { machineId, certificateExpiresAt: certificateEndsAt };
      const details = { data, by: machineActor(caller) };
      const event =
        before.leaseSeconds === null
          ? this.events.record('machine_released', license, now, details)
          : await this.events.recordDaily('machine_released', license, machineId, now, details);
      return { result: undefined, changes: [replace(LICENSES, before, license), event] };
    });
  }

  private decide<T extends object | void>(
    check: LicenseCheck,
    address: string,
    decide: (found: FoundLicense, now: Date) => Promise<Decision<T>>,
  ): Promise<T> {
    if (!check.fingerprint) throw new DomainError('FINGERPRINT_REQUIRED');
    const attempt = async () => {
      const found = await this.checks.find(check, address);
      if (!found) throw new DomainError('LICENSE_NOT_FOUND');
      return decide(found, this.clock.now());
    };
    return this.decisions.run(attempt, { key: check.key });
  }
}

/** Decides a heartbeat: whether the machine keeps its place, or takes one. */
function requireLease(
  license: License,
  machineId: string,
  now: Date,
  prove: (status: string) => string | undefined,
): 'activate' | 'already_active' {
  const decision = decideActivation(license, machineId, now);
  const rejection = prove(decision);
  const proof = rejection === undefined ? {} : { rejection };
  switch (decision) {
    case 'revoked':
      throw new DomainError('LICENSE_REVOKED', proof);
    case 'suspended':
      throw new DomainError('LICENSE_SUSPENDED', proof);
    case 'expired':
      throw new DomainError('LICENSE_EXPIRED', proof);
    case 'other_machine':
      throw new DomainError('LICENSE_HAS_NO_LEASES');
    case 'machine_limit':
    case 'activate':
    case 'already_active':
      if (license.leaseSeconds === null) throw new DomainError('LICENSE_HAS_NO_LEASES');
      if (license.status === 'PENDING') throw new DomainError('LICENSE_NOT_ACTIVATED');
      if (decision !== 'machine_limit') return decision;
      throw new DomainError('MACHINE_LIMIT_REACHED', { machines: placesUsed(license, now) });
  }
}
