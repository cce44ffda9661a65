import { Injectable } from '@nestjs/common';
import { claimsOf, signCertificate } from '../certificates/certificate.js';
import type { Signer } from '../certificates/jws.js';
import { isSignedStatus, signRejection } from '../certificates/rejection.js';
import { Signers } from '../certificates/signers.service.js';
import { isOfProduct, type License, ownSeats } from '../licenses/license.js';
import { type KeyFacts, LicenseKeyService } from '../licenses/license-key.service.js';
import { LicenseReader } from '../licenses/license-reader.js';
import type { Caller, Machine } from '../machines/machine.js';
import { MachineIdProvider } from '../machines/machine-id.provider.js';
import { Machines } from '../machines/machines.service.js';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { UnknownKeyLimiter } from '../limits/unknown-key-limiter.js';

/** What shipped software sends. */
export interface LicenseCheck {
  readonly key: string;
  readonly fingerprint?: string | null;
  /** A license of another product counts as unknown. */
  readonly product?: string | null;
  /** Requests a certificate; fingerprint and product are given then. */
  readonly certificate?: true;
  /** Requests that a rejection is signed, where a certificate is requested. */
  readonly nonce?: string;
  /** As the vendor sees the machine. */
  readonly machineName?: string | null;
}

/** A license, and the signer of its account if a certificate is requested. */
interface SignedLicense {
  readonly license: License;
  readonly signer: Signer | undefined;
}

/** A license, the machine that calls, and its record, if it has one. */
export interface FoundLicense extends SignedLicense {
  readonly caller: Caller;
  readonly machine: Machine | null;
}

/** Finds the license and the machine of what shipped software sends, and signs certificates for it. */
@Injectable()
export class LicenseChecks {
  constructor(
    private readonly keys: LicenseKeyService,
    private readonly licenses: LicenseReader,
    private readonly machines: Machines,
    private readonly machineIds: MachineIdProvider,
    private readonly signers: Signers,
    private readonly unknownKeys: UnknownKeyLimiter,
    private readonly config: Config,
  ) {}

  /**
   * The one look-up of a key that a caller sends: it counts those that are unknown.
   *
   * @returns null for an unknown key
   * @throws DomainError FINGERPRINT_REQUIRED where the configuration requires one; TOO_MANY_REQUESTS for an unknown key of an address
   *   with too many of them
   */
  async find(check: LicenseCheck, address: string): Promise<FoundLicense | null> {
    const { key, fingerprint, product, certificate } = check;
    if (this.config.requireFingerprint && !fingerprint) {
      throw new DomainError('FINGERPRINT_REQUIRED');
    }
    const facts = this.keys.read(key);
    const found = facts && (await this.findBoth(facts, check));
    if (found && (!product || isOfProduct(found.license, product))) {
      if (!certificate) return { ...found, signer: undefined };
      const signer = this.signers.peek(found.license.user);
      if (signer) return { ...found, signer };
      // The license may have been revoked meanwhile: a certificate is signed right after it was read.
      if (await this.signers.load(found.license.user)) return this.find(check, address);
    }
    await this.unknownKeys.count(address, key);
    return null;
  }

  /** The license and the record of the machine, read at the same time: what a license signs follows from both. */
  private async findBoth(
    facts: KeyFacts,
    { fingerprint, machineName }: LicenseCheck,
  ): Promise<Omit<FoundLicense, 'signer'> | null> {
    const machineId = this.machineIds.machineIdFor(facts.project, fingerprint ?? undefined);
    const caller = { machineId, name: machineName ?? undefined };
    const read = async (seatsOf: string | null) => {
      const [license, machine] = await Promise.all([
        this.licenses.find(facts),
        this.machines.find(seatsOf, machineId),
      ]);
      return license && { license, machine, caller };
    };
    const own = ownSeats(facts.keyHash);
    const found = await read(own);
    return !found || found.license.seatsOf === own ? found : read(found.license.seatsOf);
  }

  /**
   * A certificate for the machine.
   *
   * @param endsAt of its lease; null without one
   * @returns undefined where none was requested, or the license ends within a second
   */
  sign(
    { license, signer }: SignedLicense,
    { fingerprint, product }: LicenseCheck,
    endsAt: Date | null,
    now: Date,
  ): string | undefined {
    if (!signer) return undefined;
    const days = this.config.certificateDays;
    const request = { product: product!, fingerprint: fingerprint!, days, endsAt };
    const claims = claimsOf(license, signer.issuer, request, now);
    return claims ? signCertificate(claims, signer) : undefined;
  }

  /** The proof that the license must not be used on the machine; undefined where none was requested, and for another status. */
  signRejection(
    { license, signer }: SignedLicense,
    { fingerprint, product, nonce }: LicenseCheck,
    status: string,
    now: Date,
  ): string | undefined {
    if (!signer || nonce === undefined || !isSignedStatus(status)) return undefined;
    const request = { product: product!, fingerprint: fingerprint!, nonce };
    return signRejection(license._id, status, request, signer, now);
  }
}
