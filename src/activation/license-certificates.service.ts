import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type CertificateRequest,
  claimsOf,
  endOf,
  signCertificate,
  type Signer,
} from '../certificates/certificate.js';
import { Signers } from '../certificates/signers.service.js';
import type { License } from '../licenses/license.js';
import { licenseEvent } from '../licenses/license-event.js';
import {
  activationOf,
  type Certification,
  type Certified,
  LicensesRepository,
} from '../licenses/licenses.repository.js';
import { isOfProduct } from '../licenses/product.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { validationError } from '../shared/errors/validation-error.js';
import type { AccountId } from '../shared/ids/account-id.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import { IdempotentWrites } from '../shared/idempotency/idempotent-writes.service.js';
import { Clock } from '../shared/time/clock.js';
import { decideActivation } from './decisions.js';
import { MachineIdProvider } from './machine-id.provider.js';

/** A request as the software shows it, with the days that the vendor grants. */
interface CheckedRequest extends CertificateRequest {
  /** 8 hexadecimal characters, a checksum of fingerprint and product. */
  readonly check?: string | null;
}

/** Issues certificates for machines without a network. */
@Injectable()
export class LicenseCertificates {
  constructor(
    private readonly licenses: LicensesRepository,
    private readonly machines: MachineIdProvider,
    private readonly signers: Signers,
    private readonly idempotent: IdempotentWrites,
    private readonly clock: Clock,
  ) {}

  /**
   * Issues a certificate for a machine. A PENDING license is activated for it, an ACTIVE one must be bound to it.
   *
   * @throws DomainError VALIDATION_ERROR where `check` does not fit; LICENSE_NOT_FOUND,
   *   LICENSE_OF_ANOTHER_PRODUCT, LICENSE_ALREADY_REVOKED, LICENSE_TERM_ENDED, LICENSE_BOUND_ELSEWHERE,
   *   IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_QUOTA_REACHED
   */
  issue(
    _id: string,
    accountId: AccountId,
    { check, ...request }: CheckedRequest,
    idempotency?: IdempotencyRecord,
  ): Promise<Certified> {
    requireFitting(check, request);
    return this.idempotent.once(idempotency, async () => {
      const signer = this.signers.atHand(accountId) ?? (await this.signers.load(accountId));
      for (;;) {
        const license = await this.licenses.findOwned(_id, accountId);
        if (!license || !signer) throw new DomainError('LICENSE_NOT_FOUND');
        const certification = this.certify(license, request, signer);
        // It fails only where another change of the license has succeeded, so the loop ends.
        const certified = await this.licenses.certify(certification, idempotency);
        if (certified) return certified;
      }
    });
  }

  private certify(license: License, request: CertificateRequest, signer: Signer): Certification {
    if (!isOfProduct(license, request.product)) {
      throw new DomainError('LICENSE_OF_ANOTHER_PRODUCT');
    }
    const now = this.clock.now();
    const machineId = this.machines.machineIdFor(license.project, request.fingerprint);
    const isFirst = isActivatedBy(license, machineId, now);
    const fields = isFirst ? activationOf(license, machineId, now) : null;
    const claims = claimsOf({ ...license, ...fields }, signer.issuer, request, now);
    if (!claims) throw new DomainError('LICENSE_TERM_ENDED');
    const what = { license: license._id, at: now, actor: license.user, machineId };
    return {
      read: license,
      activation: fields && { fields, event: licenseEvent({ ...what, type: 'activated' }) },
      certificate: signCertificate(claims, signer),
      event: licenseEvent({
        ...what,
        type: 'certificate_issued',
        certificateExpiresAt: endOf(claims),
      }),
    };
  }
}

/** Whether a certificate for this machine activates the license; rejects one that may not be used there. */
function isActivatedBy(license: License, machineId: string, now: Date): boolean {
  const decision = decideActivation(license, machineId, now);
  switch (decision) {
    case 'activate':
    case 'already_active':
      return decision === 'activate';
    case 'revoked':
      throw new DomainError('LICENSE_ALREADY_REVOKED');
    case 'expired':
      throw new DomainError('LICENSE_TERM_ENDED');
    case 'other_machine':
      throw new DomainError('LICENSE_BOUND_ELSEWHERE');
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
