import { Injectable } from '@nestjs/common';
import { claimsOf, signCertificate, type Signer } from '../certificates/certificate.js';
import { Signers } from '../certificates/signers.service.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import type { License } from '../licenses/license.js';
import { type LicenseEvent, licenseEvent, rejectedEvent } from '../licenses/license-event.js';
import { LicenseEventsRepository } from '../licenses/license-events.repository.js';
import { activationOf, LicensesRepository } from '../licenses/licenses.repository.js';
import { isOfProduct } from '../licenses/product.js';
import { Config } from '../shared/config/config.js';
import { Clock } from '../shared/time/clock.js';
import {
  type ActivationDecision,
  decideActivation,
  decideValidation,
  type ValidationStatus,
} from './decisions.js';
import { MachineIdProvider } from './machine-id.provider.js';
import { OutcomeMetrics } from './outcome-metrics.js';

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
      readonly outcome: Exclude<ActivationDecision, 'activate' | 'already_active'>;
      /** Why the event of the rejection could not be stored; for the log alone. */
      readonly unrecorded?: Error;
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

/** Activates and validates license keys for shipped software. */
@Injectable()
export class ActivationService {
  constructor(
    private readonly licenses: LicensesRepository,
    private readonly events: LicenseEventsRepository,
    private readonly keys: LicenseKeyService,
    private readonly machines: MachineIdProvider,
    private readonly signers: Signers,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly metrics: OutcomeMetrics,
  ) {}

  /** Binds a license to a machine, unless it is bound or may not be used (specification, section 4.3). */
  async activate(check: LicenseCheck): Promise<ActivationOutcome> {
    // The loser of a race for a PENDING license decides again by what the winner has written.
    const outcome = (await this.tryToActivate(check)) ?? (await this.tryToActivate(check));
    if (!outcome) throw new Error('A license is PENDING again after it was not');
    this.metrics.activations[outcome.outcome].inc();
    return outcome;
  }

  /** Checks whether a license may be used on a machine. Changes nothing. */
  async validate(check: LicenseCheck): Promise<ValidationResult> {
    const found = await this.find(check);
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

  private async tryToActivate(check: LicenseCheck): Promise<ActivationOutcome | undefined> {
    const found = await this.find(check);
    if (!found) return { outcome: 'not_found' };
    const { license, signer } = found;
    const now = this.clock.now();
    const machineId = this.machineOf(check, license);
    const outcome = decideActivation(license, machineId, now);
    if (outcome === 'already_active') {
      return { outcome, license, certificate: this.sign(license, signer, check, now) };
    }
    if (outcome !== 'activate') {
      const event = rejectedEvent(license._id, outcome, machineId, now);
      return { outcome, ...(await this.record(event)) };
    }
    const activated = await this.licenses.activate(
      license._id,
      activationOf(license, machineId, now),
      licenseEvent({ license: license._id, type: 'activated', at: now, machineId }),
    );
    if (!activated) return undefined;
    const certificate = this.sign(activated, signer, check, now);
    return { outcome: 'activated', license: activated, certificate };
  }

  /** Stores the event of a rejection. A failure of the store does not change the response. */
  private async record(rejection: LicenseEvent): Promise<{ unrecorded?: Error }> {
    try {
      await this.events.recordRejection(rejection);
      return {};
    } catch (cause) {
      const message = 'The event of a rejected activation was not stored';
      return { unrecorded: new Error(message, { cause }) };
    }
  }

  private async find(check: LicenseCheck): Promise<Found | null> {
    const { key, product, certificate } = check;
    const normalKey = this.keys.parse(key);
    const license =
      normalKey === undefined ? null : await this.licenses.findByKeyHash(this.keys.hash(normalKey));
    if (!license || (product && !isOfProduct(license, product))) return null;
    if (!certificate) return { license, signer: undefined };
    const signer = this.signers.atHand(license.user);
    if (signer) return { license, signer };
    // The license may have been revoked meanwhile: a certificate is signed right after it was read.
    return (await this.signers.load(license.user)) ? this.find(check) : null;
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
