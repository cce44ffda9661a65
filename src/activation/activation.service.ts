import { Injectable } from '@nestjs/common';
import { claimsOf, signCertificate, type Signer } from '../certificates/certificate.js';
import { Signers } from '../certificates/signers.service.js';
import { type License, LICENSES } from '../licenses/license.js';
import { type ActivationRejection, EVENTS, licenseEvent } from '../licenses/license-event.js';
import { LicenseEventsService } from '../licenses/license-events.service.js';
import { LicenseReader } from '../licenses/license-reader.js';
import { activated } from '../licenses/license-transitions.js';
import { isOfProduct } from '../licenses/product.js';
import { PROJECTS } from '../projects/project.js';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { Clock } from '../shared/time/clock.js';
import { insert, replace, touch } from '../storage/changes.js';
import { type Decision, Decisions } from '../storage/decisions.js';
import { decideActivation, decideValidation, type ValidationStatus } from './decisions.js';
import { MachineIdProvider } from './machine-id.provider.js';
import { OutcomeMetrics } from './outcome-metrics.js';
import { UnknownKeyLimiter } from './unknown-key-limiter.js';

/** What shipped software asks about. */
export interface LicenseCheck {
  readonly key: string;
  readonly fingerprint?: string | null;
  /** A license of another product counts as unknown. */
  readonly product?: string | null;
  /** Requests a certificate; fingerprint and product are given then. */
  readonly certificate?: true;
}

/** The outcome of an activation, with the license where the response shows it. */
export type ActivationOutcome =
  | {
      readonly outcome: 'activated' | 'already_active';
      readonly license: License;
      readonly certificate: string | undefined;
    }
  | { readonly outcome: 'not_found' }
  | {
      readonly outcome: ActivationRejection;
      /** Why the event of the rejection could not be stored; for the log alone. */
      readonly unrecorded?: Error | undefined;
    };

/** The outcome of a validation; without a license where the key is unknown. */
export type ValidationResult =
  | {
      readonly status: Exclude<ValidationStatus, 'invalid'>;
      readonly license: License;
      readonly certificate: string | undefined;
    }
  | { readonly status: 'invalid' };

/** A license, and the signer of its account where a certificate is requested. */
interface Found {
  readonly license: License;
  readonly signer: Signer | undefined;
}

/**
 * Activates and validates license keys for shipped software.
 *
 * @throws DomainError FINGERPRINT_REQUIRED where the configuration requires one; TOO_MANY_REQUESTS for an unknown key of an address with
 *   too many of them
 */
@Injectable()
export class ActivationService {
  constructor(
    private readonly licenses: LicenseReader,
    private readonly events: LicenseEventsService,
    private readonly decisions: Decisions,
    private readonly machines: MachineIdProvider,
    private readonly signers: Signers,
    private readonly unknownKeys: UnknownKeyLimiter,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly metrics: OutcomeMetrics,
  ) {}

  /** Binds a license to a machine, unless it is bound or may not be used (specification, section 4.3). */
  async activate(check: LicenseCheck, address: string): Promise<ActivationOutcome> {
    const outcome = await this.decisions.run(() => this.decide(check, address));
    this.metrics.activations[outcome.outcome].inc();
    return outcome;
  }

  /** Checks whether a license may be used on a machine. Changes nothing. */
  async validate(check: LicenseCheck, address: string): Promise<ValidationResult> {
    const found = await this.find(check, address);
    if (!found) {
      this.metrics.validations.invalid.inc();
      return { status: 'invalid' };
    }
    const { license, signer } = found;
    const now = this.clock.now();
    const status = decideValidation(license, this.machineOf(check, license), now);
    this.metrics.validations[status].inc();
    const certificate = status === 'active' ? this.sign(license, signer, check, now) : undefined;
    return { status, license, certificate };
  }

  private async decide(check: LicenseCheck, address: string): Promise<Decision<ActivationOutcome>> {
    const found = await this.find(check, address);
    if (!found) return { result: { outcome: 'not_found' }, changes: [] };
    const { license: before, signer } = found;
    const now = this.clock.now();
    const machineId = this.machineOf(check, before);
    const outcome = decideActivation(before, machineId, now);
    if (outcome === 'already_active') {
      const certificate = this.sign(before, signer, check, now);
      return { result: { outcome, license: before, certificate }, changes: [] };
    }
    if (outcome !== 'activate') {
      const unrecorded = await this.record(before, outcome, machineId, now);
      return { result: { outcome, unrecorded }, changes: [] };
    }
    const license = activated(before, machineId, now);
    const certificate = this.sign(license, signer, check, now);
    return {
      result: { outcome: 'activated', license, certificate },
      changes: [
        touch(PROJECTS, license.project),
        replace(LICENSES, before, license),
        insert(EVENTS, licenseEvent(license, 'activated', now, { machineId })),
      ],
    };
  }

  /** Stores the event of a rejection. A failure of the store does not change the response, and is returned. */
  private record(...rejection: Parameters<LicenseEventsService['recordRejection']>) {
    return this.events.recordRejection(...rejection).then(
      () => undefined,
      (cause) => new Error('The event of a rejected activation was not stored', { cause }),
    );
  }

  /** The one look-up of a key that a caller sends: it counts those that are unknown. */
  private async find(check: LicenseCheck, address: string): Promise<Found | null> {
    const { key, fingerprint, product, certificate } = check;
    if (this.config.requireFingerprint && !fingerprint) {
      throw new DomainError('FINGERPRINT_REQUIRED');
    }
    const license = await this.licenses.findByKey(key);
    if (license && (!product || isOfProduct(license, product))) {
      if (!certificate) return { license, signer: undefined };
      const signer = this.signers.peek(license.user);
      if (signer) return { license, signer };
      // The license may have been revoked meanwhile: a certificate is signed right after it was read.
      if (await this.signers.load(license.user)) return this.find(check, address);
    }
    await this.unknownKeys.count(address, key);
    return null;
  }

  private machineOf({ fingerprint }: LicenseCheck, { project }: License): string {
    return this.machines.machineIdFor(project, fingerprint ?? undefined);
  }

  private sign(
    license: License,
    signer: Signer | undefined,
    { fingerprint, product }: LicenseCheck,
    now: Date,
  ): string | undefined {
    if (!signer) return undefined;
    const days = this.config.certificateDays;
    const request = { product: product!, fingerprint: fingerprint!, days };
    const claims = claimsOf(license, signer.issuer, request, now);
    return claims ? signCertificate(claims, signer) : undefined;
  }
}
