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
import { endOfLicense, type License, LICENSES, shownAt } from '../licenses/license.js';
import { LicenseEvents } from '../licenses/license-events.service.js';
import { LicenseReader } from '../licenses/license-reader.js';
import { activated } from '../licenses/license-transitions.js';
import { latest, placeOf, withCertificateUntil } from '../licenses/machine.js';
import { isOfProduct } from '../licenses/product.js';
import { PROJECTS } from '../projects/project.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { validationError } from '../shared/errors/validation-error.js';
import type { AccountId } from '../shared/ids/account-id.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import { Clock } from '../shared/time/clock.js';
import { replace, touch } from '../storage/changes.js';
import { type Decision, Decisions } from '../storage/decisions.js';
import { placesUsed } from './activation.service.js';
import { decideActivation } from './decisions.js';
import { MachineIdProvider } from './machine-id.provider.js';
import { Trials } from './trials.service.js';

/** A request as the software shows it, with the days that the vendor grants. */
interface CheckedRequest extends CertificateRequest {
  /** 8 hexadecimal characters, a checksum of fingerprint and product. */
  readonly check?: string | null;
}

export interface Certified {
  readonly license: License;
  readonly certificate: string;
}

/** Issues certificates for machines without a network. */
@Injectable()
export class LicenseCertificates {
  constructor(
    private readonly licenses: LicenseReader,
    private readonly events: LicenseEvents,
    private readonly decisions: Decisions,
    private readonly machines: MachineIdProvider,
    private readonly trials: Trials,
    private readonly signers: Signers,
    private readonly clock: Clock,
  ) {}

  /**
   * Issues a certificate for a machine. It takes a place of the license, unless it has one, and keeps it until the
   * certificate ends where the license has leases.
   *
   * @throws DomainError VALIDATION_ERROR where `check` does not fit; LICENSE_NOT_FOUND,
   *   LICENSE_OF_ANOTHER_PRODUCT, LICENSE_ALREADY_REVOKED, LICENSE_TERM_ENDED, LICENSE_BOUND_ELSEWHERE,
   *   LICENSE_SUSPENDED, MACHINE_LIMIT_REACHED, TRIAL_USED, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_QUOTA_REACHED
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
      const license = await this.licenses.findOwned(_id, accountId);
      if (!license || !signer) throw new DomainError('LICENSE_NOT_FOUND');
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
    const machineId = this.machines.machineIdFor(before.project, request.fingerprint);
    const active = activeOn(machineId, before, now);
    const trial = active === before ? [] : await this.trials.changesOf(before, request, now);
    if (!trial) throw new DomainError('TRIAL_USED');
    const claims = claimsOf(active, signer.issuer, request, now);
    if (!claims) throw new DomainError('LICENSE_TERM_ENDED');
    const certificateExpiresAt = endOf(claims);
    const place = placeOf(active, machineId, now)!;
    const license = {
      ...withCertificateUntil(active, place, certificateExpiresAt),
      certificatesEndAt: latest(certificateExpiresAt, before.certificatesEndAt),
    };
    const activation = { machineId, expiresAt: endOfLicense(license) };
    const issued = { machineId, certificateExpiresAt };
    return {
      result: { license: shownAt(license, now), certificate: signCertificate(claims, signer) },
      changes: [
        touch(PROJECTS, license.project),
        replace(LICENSES, before, license),
        ...trial,
        ...(active === before
          ? []
          : [this.events.record('activated', license, now, { data: activation })]),
        this.events.record('certificate_issued', license, now, { data: issued }),
      ],
    };
  }
}

/** A license in which this machine has a place, which it takes where one is free; rejects one that may not be used there. */
function activeOn(machineId: string, license: License, now: Date): License {
  switch (decideActivation(license, machineId, now)) {
    case 'activate':
      return activated(license, { machineId }, now);
    case 'already_active':
      return license;
    case 'revoked':
      throw new DomainError('LICENSE_ALREADY_REVOKED');
    case 'suspended':
      throw new DomainError('LICENSE_SUSPENDED');
    case 'expired':
      throw new DomainError('LICENSE_TERM_ENDED');
    case 'other_machine':
      throw new DomainError('LICENSE_BOUND_ELSEWHERE');
    case 'machine_limit':
      throw new DomainError('MACHINE_LIMIT_REACHED', { machines: placesUsed(license, now) });
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
