import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { signCertificate, type Signer } from '../certificates/certificate.js';
import { SigningKeysService } from '../certificates/signing-keys/signing-keys.service.js';
import { endOfLicense, isOfProduct, type License, LICENSES } from '../licenses/license.js';
import { Licensees } from './licensees.service.js';
import { LicenseReader, type ShownLicense } from '../licenses/license-reader.js';
import { activated } from '../licenses/license-transitions.js';
import { MachineIdProvider } from '../machines/machine-id.provider.js';
import { Machines } from '../machines/machines.service.js';
import { latest, withCertificateUntil } from '../machines/seat.js';
import { Seats, storeMachine } from '../machines/seats.service.js';
import { PROJECTS } from '../projects/project.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { ErrorCode } from '../shared/errors/error-codes.js';
import { validationError } from '../shared/errors/validation-error.js';
import type { AccountId } from '../shared/ids.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import { Clock } from '../shared/time/clock.js';
import { replace, touch } from '../storage/changes.js';
import { type Decision, Decisions } from '../storage/decisions.js';
import { type ActivationRejection, decideUse, rejectionOf } from './decisions.js';
import type { LicenseCertificateDto } from './dto/license-certificate.dto.js';
import { licenseEvent } from '../licenses/license-events.js';

export interface Certified {
  readonly license: ShownLicense;
  readonly certificate: string;
}

/** The vendor's errors, which replace the errors of an activation. */
const CODES: Partial<Record<ActivationRejection, ErrorCode>> = {
  revoked: 'LICENSE_ALREADY_REVOKED',
  expired: 'LICENSE_TERM_ENDED',
  other_machine: 'LICENSE_BOUND_ELSEWHERE',
};

/** Issues certificates for offline machines. */
@Injectable()
export class LicenseCertificates {
  constructor(
    private readonly licenses: LicenseReader,
    private readonly decisions: Decisions,
    private readonly machines: Machines,
    private readonly machineIds: MachineIdProvider,
    private readonly seats: Seats,
    private readonly signingKeys: SigningKeysService,
    private readonly licensees: Licensees,
    private readonly clock: Clock,
  ) {}

  /**
   * Issues a certificate for a machine. The machine takes a seat unless it already holds one. If the
   * license has leases, it keeps the seat until the certificate expires.
   */
  issue(
    _id: string,
    accountId: AccountId,
    request: LicenseCertificateDto,
    idempotency?: IdempotencyRecord,
  ): Promise<Certified> {
    requireFitting(request);
    const decide = async () => {
      const signer =
        this.signingKeys.peekSigner(accountId) ?? (await this.signingKeys.loadSigner(accountId));
      const license = await this.licenses.get(_id, accountId);
      if (!signer) throw new DomainError('LICENSE_NOT_FOUND');
      return this.certify(license, request, signer);
    };
    return this.decisions.run(decide, { idempotency, key: _id });
  }

  private async certify(
    before: License,
    request: LicenseCertificateDto,
    signer: Signer,
  ): Promise<Decision<Certified>> {
    const { fingerprint, product, days } = request;
    if (!isOfProduct(before, product)) throw new DomainError('LICENSE_OF_ANOTHER_PRODUCT');
    const now = this.clock.now();
    const machineId = this.machineIds.machineIdFor(before.project, fingerprint);
    const own = await this.machines.find(before.seatsOf, machineId);
    const arrival = { license: before, caller: { machineId }, machine: own };
    const asked = { fingerprint, isCertified: false, isExclusive: true };
    const seat = decideUse(before, now) ?? (await this.seats.take(arrival, asked, now));
    if (typeof seat === 'string') {
      const reason = seat as Exclude<typeof seat, 'contended'>;
      const nextLeaseEndsAt =
        reason === 'machine_limit' ? await this.seats.nextLeaseEnd(before) : null;
      throw rejectionOf(reason, before, { code: CODES[reason], nextLeaseEndsAt });
    }
    const active = activated(before, now);
    const names = await this.licensees.read(before);
    const signed = signCertificate({ license: active, names }, request, days, null, signer, now);
    if (!signed) throw new DomainError('LICENSE_TERM_ENDED');
    const { certificate, endsAt: certificateExpiresAt } = signed;
    const license = {
      ...active,
      seats: before.seats + seat.added,
      certificatesEndAt: latest(certificateExpiresAt, before.certificatesEndAt),
      updatedAt: seat.isTaken ? now : before.updatedAt,
    };
    const machine = withCertificateUntil(license, seat.machine, certificateExpiresAt);
    const activation = { machineId, expiresAt: endOfLicense(license) };
    const changes = [
      touch(PROJECTS, license.project),
      replace(LICENSES, before, license),
      ...storeMachine(seat.before, machine),
      ...seat.changes,
      ...(seat.isTaken ? [licenseEvent('activated', license, now, { data: activation })] : []),
      licenseEvent('certificate_issued', license, now, {
        data: { machineId, certificateExpiresAt },
      }),
    ];
    const shown = await this.licenses.show(license, now, changes);
    return { result: { license: shown, certificate }, changes };
  }
}

/** Rejects a mistyped fingerprint or product: `check` is 8 hexadecimal characters of a hash of both. */
function requireFitting({ check, product, fingerprint }: LicenseCertificateDto): void {
  if (check === undefined || check === null) return;
  const text = `license-request:v1\n${product}\n${fingerprint}`;
  const expected = createHash('sha256').update(text).digest('hex').slice(0, 8);
  if (check.trim().toLowerCase() === expected) return;
  throw validationError({
    check: ['check does not match fingerprint and product, so one of the three is mistyped'],
  });
}
