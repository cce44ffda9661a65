import { Injectable } from '@nestjs/common';
import {
  type Names,
  signCertificate,
  type Signer,
  signRejection,
} from '../certificates/certificate.js';
import { SigningKeysService } from '../certificates/signing-keys/signing-keys.service.js';
import { endOfLicense, isOfProduct, type License, ownSeats } from '../licenses/license.js';
import { normalForm } from '../licenses/license-key-form.js';
import { type KeyFacts, LicenseKeyService } from '../licenses/license-key.service.js';
import { LicenseReader } from '../licenses/license-reader.js';
import { UnknownKeyLimiter } from '../limits/unknown-key-limiter.js';
import { LastSeen } from '../machines/last-seen.service.js';
import type { Caller, Machine } from '../machines/machine.js';
import { MachineIdProvider } from '../machines/machine-id.provider.js';
import { Machines } from '../machines/machines.service.js';
import { isSingleMachine, leaseEndOf } from '../machines/seat.js';
import { countersOf, Metrics } from '../metrics/metrics.js';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { Clock } from '../shared/time/clock.js';
import {
  decideValidation,
  VALIDATION_MESSAGES,
  VALIDATION_STATUSES,
  type ValidationStatus,
} from './decisions.js';
import { areOf, Licensees } from './licensees.service.js';
import type { ActivationDto } from './dto/license-key.dto.js';
import type { ValidationResponse } from './dto/validation.response.js';

/** The request from shipped software. */
export type LicenseCheck = ActivationDto;

/** A license and the calling machine. */
export interface FoundLicense {
  readonly license: License;
  readonly caller: Caller;
  /** The machine's record; null if it has none. */
  readonly machine: Machine | null;
  /** Signs for the license's account, if a certificate is requested. */
  readonly signer: Signer | undefined;
  /** The names in a certificate, if one is requested. */
  readonly names: Names | undefined;
}

/** Validates licenses, finds the license and machine for a request from shipped software, and signs the result. */
@Injectable()
export class LicenseChecks {
  private readonly validations = countersOf(
    this.metrics.counter('validations_total', 'Validations by outcome', 'outcome'),
    VALIDATION_STATUSES,
  );

  constructor(
    private readonly keys: LicenseKeyService,
    private readonly licenses: LicenseReader,
    private readonly machines: Machines,
    private readonly machineIds: MachineIdProvider,
    private readonly lastSeen: LastSeen,
    private readonly signingKeys: SigningKeysService,
    private readonly licensees: Licensees,
    private readonly unknownKeys: UnknownKeyLimiter,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly metrics: Metrics,
  ) {}

  /** Whether a license may be used on a machine, and if not, why. Changes nothing. */
  async validate(check: LicenseCheck, address: string): Promise<ValidationResponse> {
    const found = await this.find(check, address);
    const now = this.clock.now();
    const status: ValidationStatus = found
      ? decideValidation(found.license, found.machine, now)
      : 'invalid';
    this.validations[status].inc();
    const valid = status === 'active';
    const message = VALIDATION_MESSAGES[status];
    if (!found) return { valid, status, message };
    const { license, machine } = found;
    if (valid) {
      this.lastSeen.markSeen(machine!, now);
      const leaseEndsAt = leaseEndOf(license, machine!);
      // Certificates of a lease are stored in the machine's record, but validation changes nothing.
      const isSigned = license.leaseSeconds === null;
      // Spreads would take 4 of 80 µs; JSON leaves undefined fields out.
      return {
        valid,
        status,
        message,
        duration: license.duration,
        services: license.services,
        activatedAt: license.activatedAt!,
        expiresAt: endOfLicense(license),
        entitlements: license.entitlements,
        updatesUntil: license.updatesUntil ?? undefined,
        leaseEndsAt: leaseEndsAt ?? undefined,
        certificate: isSigned ? this.sign(found, check, null, now) : undefined,
      };
    }
    const rejection = this.signRejection(found, check, status, now);
    return {
      ...{ valid, status, message },
      ...(status === 'expired' && { expiresAt: license.expiresAt }),
      ...(status === 'machine_mismatch' && (await this.seatsOf(license, now))),
      ...(rejection !== undefined && { rejection }),
    };
  }

  /**
   * The only lookup of a key sent by a caller, so unknown keys are counted here.
   *
   * @returns null for an unknown key
   * @throws DomainError FINGERPRINT_REQUIRED if the configuration requires one; TOO_MANY_REQUESTS if the
   *   address has sent too many unknown keys
   */
  async find(check: LicenseCheck, address: string): Promise<FoundLicense | null> {
    const { key, fingerprint, product, certificate } = check;
    if (this.config.requireFingerprint && !fingerprint) {
      throw new DomainError('FINGERPRINT_REQUIRED');
    }
    const found = await this.keys.lookUp(key, (facts) => this.findBoth(facts, check));
    if (found && (!product || isOfProduct(found.license, product))) {
      if (!certificate) return { ...found, signer: undefined };
      const { user } = found.license;
      const signer = this.signingKeys.peekSigner(user);
      if (signer && found.names) return { ...found, signer };
      // The license may have been revoked in the meantime, so a certificate must be signed right after the
      // license is read.
      this.licensees.remember(found.license);
      if (signer ?? (await this.signingKeys.loadSigner(user))) return this.find(check, address);
    }
    await this.unknownKeys.count(address, normalForm(key));
    return null;
  }

  /** The license, the machine's record and the names for a certificate, read at the same time because the signature covers all of them. */
  private async findBoth(
    facts: KeyFacts,
    { fingerprint, machineName, certificate }: LicenseCheck,
  ): Promise<Omit<FoundLicense, 'signer'> | null> {
    const read = async (project: string, seatsOf: string | null) => {
      const machineId = this.machineIds.machineIdFor(project, fingerprint ?? undefined);
      const [license, machine, peeked] = await Promise.all([
        this.licenses.find(facts),
        this.machines.find(seatsOf, machineId),
        certificate ? this.licensees.peek(facts.keyHash) : undefined,
      ]);
      if (!license) return null;
      const caller = { machineId, name: machineName ?? undefined };
      const names = peeked && areOf(peeked, license) ? peeked.names : undefined;
      return { license, machine, caller, names };
    };
    const own = ownSeats(facts.keyHash);
    const named = facts.project ?? (await this.licenses.find(facts))?.project;
    const found = named === undefined ? null : await read(named, own);
    if (!found) return null;
    const { project, seatsOf } = found.license;
    return project === named && seatsOf === own ? found : read(project, seatsOf);
  }

  /**
   * A certificate for the machine.
   *
   * @param leaseEndsAt null if there is no lease
   * @returns undefined if none was requested, or if the license expires within a second
   */
  sign(
    { license, signer, names }: Pick<FoundLicense, 'license' | 'signer' | 'names'>,
    check: LicenseCheck,
    leaseEndsAt: Date | null,
    now: Date,
  ): string | undefined {
    if (!signer || !names) return undefined;
    const { certificateDays } = this.config;
    const installation = installationOf(check);
    return signCertificate(
      { license, names },
      installation,
      certificateDays,
      leaseEndsAt,
      signer,
      now,
    )?.certificate;
  }

  /** Proof that the license must not be used on the machine; undefined if none was requested, or for other statuses. */
  signRejection(
    { license, signer }: FoundLicense,
    check: LicenseCheck,
    status: string,
    now: Date,
  ): string | undefined {
    const { nonce } = check;
    if (!signer || nonce === undefined) return undefined;
    return signRejection(license._id, status, installationOf(check), nonce, signer, now);
  }

  /**
   * The number of taken seats. Shown to a machine without a seat if the license has several seats, has
   * leases, or has a free seat.
   */
  private async seatsOf(
    license: License,
    now: Date,
  ): Promise<Partial<Pick<ValidationResponse, 'machines' | 'message'>>> {
    const used = await this.machines.countTaken(license, now);
    if (isSingleMachine(license) && used > 0) return {};
    return {
      machines: { used, max: license.maxMachines },
      ...(used === 0 && { message: 'License is not activated on this machine' }),
    };
  }
}

/** A certificate request always has both. */
const installationOf = ({ product, fingerprint }: LicenseCheck) => ({
  product: product!,
  fingerprint: fingerprint!,
});
