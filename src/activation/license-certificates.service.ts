import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type CertificateRequest,
  claimsOf,
  endOf,
  signCertificate,
} from '../certificates/certificate.js';
import type { Signer } from '../certificates/jws.js';
import { Signers } from '../certificates/signers.service.js';
import { endOfLicense, isOfProduct, type License, LICENSES } from '../licenses/license.js';
import { LicenseEvents } from '../licenses/license-events.service.js';
import { LicenseReader, type ShownLicense } from '../licenses/license-reader.js';
import { activated } from '../licenses/license-transitions.js';
import { type Machine, MACHINES } from '../machines/machine.js';
import { MachineIdProvider } from '../machines/machine-id.provider.js';
import { Machines } from '../machines/machines.service.js';
import { extended, isOfOneMachine, latest, withCertificateUntil } from '../machines/seat.js';
import { Seats, type SeatTaken } from '../machines/seats.service.js';
import { PROJECTS } from '../projects/project.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { validationError } from '../shared/errors/validation-error.js';
import type { AccountId } from '../shared/ids/account-id.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import { Clock } from '../shared/time/clock.js';
import { insert, replace, touch } from '../storage/changes.js';
import { type Decision, Decisions } from '../storage/decisions.js';
import { decideActivation } from './decisions.js';
import { Trials } from './trials.service.js';

/** A request as the software shows it, with the days that the vendor grants. */
interface CheckedRequest extends CertificateRequest {
  /** 8 hexadecimal characters, a checksum of fingerprint and product. */
  readonly check?: string | null;
}

export interface Certified {
  readonly license: ShownLicense;
  readonly certificate: string;
}

interface CertifiedSeat extends SeatTaken {
  /** The record of the machine; null if it has none yet. */
  readonly before: Machine | null;
  readonly isTaken: boolean;
}

/** Issues certificates for machines without a network. */
@Injectable()
export class LicenseCertificates {
  constructor(
    private readonly licenses: LicenseReader,
    private readonly events: LicenseEvents,
    private readonly decisions: Decisions,
    private readonly machines: Machines,
    private readonly machineIds: MachineIdProvider,
    private readonly seats: Seats,
    private readonly trials: Trials,
    private readonly signers: Signers,
    private readonly clock: Clock,
  ) {}

  /**
   * Issues a certificate for a machine. It takes a seat of the license, unless it holds one, and keeps it until the
   * certificate ends if the license has leases.
   */
  issue(
    _id: string,
    accountId: AccountId,
    { check, ...request }: CheckedRequest,
    idempotency?: IdempotencyRecord,
  ): Promise<Certified> {
    requireFitting(check, request);
    const decide = async () => {
      const signer = this.signers.peek(accountId) ?? (await this.signers.load(accountId));
      const license = await this.licenses.get(_id, accountId);
      if (!signer) throw new DomainError('LICENSE_NOT_FOUND');
      return this.certify(license, request, signer);
    };
    return this.decisions.run(decide, { idempotency, key: _id });
  }

  private async certify(
    before: License,
    request: CertificateRequest,
    signer: Signer,
  ): Promise<Decision<Certified>> {
    if (!isOfProduct(before, request.product)) throw new DomainError('LICENSE_OF_ANOTHER_PRODUCT');
    const now = this.clock.now();
    const machineId = this.machineIds.machineIdFor(before.project, request.fingerprint);
    const seat = await this.seatOf(machineId, before, request, now);
    const active = activated(before, now);
    const claims = claimsOf(active, signer.issuer, request, now);
    if (!claims) throw new DomainError('LICENSE_TERM_ENDED');
    const certificateExpiresAt = endOf(claims);
    const license = {
      ...active,
      seats: before.seats + seat.added,
      certificatesEndAt: latest(certificateExpiresAt, before.certificatesEndAt),
      updatedAt: seat.isTaken ? now : before.updatedAt,
    };
    const machine = withCertificateUntil(license, seat.machine, certificateExpiresAt);
    const activation = { machineId, expiresAt: endOfLicense(license) };
    const issued = { machineId, certificateExpiresAt };
    const changes = [
      touch(PROJECTS, license.project),
      replace(LICENSES, before, license),
      seat.before ? replace(MACHINES, seat.before, machine) : insert(MACHINES, machine),
      ...seat.changes,
      ...(seat.isTaken
        ? [this.events.record('activated', license, now, { data: activation })]
        : []),
      this.events.record('certificate_issued', license, now, { data: issued }),
    ];
    const shown = await this.licenses.show(license, now, changes);
    return { result: { license: shown, certificate: signCertificate(claims, signer) }, changes };
  }

  /** The seat that a machine holds or takes, with what the commit changes besides; rejects a license that may not be used there. */
  private async seatOf(
    machineId: string,
    license: License,
    request: CertificateRequest,
    now: Date,
  ): Promise<CertifiedSeat> {
    const own = await this.machines.find(license.seatsOf, machineId);
    switch (decideActivation(license, own, now)) {
      case 'already_active':
        return { before: own, machine: own!, isTaken: false, added: 0, changes: [] };
      case 'activate':
        break;
      case 'revoked':
        throw new DomainError('LICENSE_ALREADY_REVOKED');
      case 'suspended':
        throw new DomainError('LICENSE_SUSPENDED');
      case 'expired':
        throw new DomainError('LICENSE_TERM_ENDED');
    }
    if (own) {
      const machine = extended(license, own, { machineId }, false, now);
      return { before: own, machine, isTaken: true, added: 0, changes: [] };
    }
    const taken = await this.seats.take(license, { machineId }, false, now, true);
    if (typeof taken === 'string') {
      if (isOfOneMachine(license)) throw new DomainError('LICENSE_BOUND_ELSEWHERE');
      const machines = { used: license.seats, max: license.maxMachines };
      throw new DomainError('MACHINE_LIMIT_REACHED', { machines });
    }
    const trial = await this.trials.changesOf(license, request, now);
    if (!trial) throw new DomainError('TRIAL_USED');
    return { before: null, isTaken: true, ...taken, changes: [...taken.changes, ...trial] };
  }
}

/** Rejects a fingerprint or product that was mistyped. */
function requireFitting(
  check: string | null | undefined,
  { product, fingerprint }: CertificateRequest,
): void {
  if (check === undefined || check === null) return;
  const text = `license-request:v1\n${product}\n${fingerprint}`;
  const expected = createHash('sha256').update(text).digest('hex').slice(0, 8);
  if (check.trim().toLowerCase() === expected) return;
  throw validationError({
    check: ['check does not fit fingerprint and product: one of the three was mistyped'],
  });
}
