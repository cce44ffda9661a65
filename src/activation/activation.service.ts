import { Injectable } from '@nestjs/common';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { type License, termFrom } from '../licenses/license.js';
import { type LicenseEvent, licenseEvent, rejectedEvent } from '../licenses/license-event.js';
import { LicenseEventsRepository } from '../licenses/license-events.repository.js';
import { LicensesRepository } from '../licenses/licenses.repository.js';
import { Clock } from '../shared/time/clock.js';
import {
  type ActivationDecision,
  decideActivation,
  decideValidation,
  type ValidationStatus,
} from './decisions.js';
import { MachineIdProvider } from './machine-id.provider.js';

/** The outcome of an activation, with the license where the response shows it. */
export type ActivationOutcome =
  | { readonly outcome: 'activated' | 'already_active'; readonly license: License }
  | { readonly outcome: 'not_found' }
  | {
      readonly outcome: Exclude<ActivationDecision, 'activate' | 'already_active'>;
      /** Why the event of the rejection could not be stored; for the log alone. */
      readonly unrecorded?: Error;
    };

/** The outcome of a validation; without a license where the key is unknown. */
export type ValidationResult =
  | { readonly status: Exclude<ValidationStatus, 'invalid'>; readonly license: License }
  | { readonly status: 'invalid' };

/** Activates and validates license keys for shipped software. */
@Injectable()
export class ActivationService {
  constructor(
    private readonly licenses: LicensesRepository,
    private readonly events: LicenseEventsRepository,
    private readonly keys: LicenseKeyService,
    private readonly machines: MachineIdProvider,
    private readonly clock: Clock,
  ) {}

  /** Binds a license to a machine, unless it is bound or may not be used (specification, section 4.3). */
  async activate(key: string, fingerprint?: string): Promise<ActivationOutcome> {
    const attempt = () => this.tryToActivate(key, fingerprint);
    // The loser of a race for a PENDING license decides again by what the winner has written.
    const outcome = (await attempt()) ?? (await attempt());
    if (!outcome) throw new Error('A license is PENDING again after it was not');
    return outcome;
  }

  /** Checks whether a license may be used on a machine. Changes nothing. */
  async validate(key: string, fingerprint?: string): Promise<ValidationResult> {
    const license = await this.find(key);
    if (!license) return { status: 'invalid' };
    const machineId = this.machines.machineIdFor(license.project, fingerprint);
    return { status: decideValidation(license, machineId, this.clock.now()), license };
  }

  private async tryToActivate(
    key: string,
    fingerprint: string | undefined,
  ): Promise<ActivationOutcome | undefined> {
    const license = await this.find(key);
    if (!license) return { outcome: 'not_found' };
    const now = this.clock.now();
    const machineId = this.machines.machineIdFor(license.project, fingerprint);
    const outcome = decideActivation(license, machineId, now);
    if (outcome === 'already_active') return { outcome, license };
    if (outcome !== 'activate') {
      const event = rejectedEvent(license._id, outcome, machineId, now);
      return { outcome, ...(await this.record(event)) };
    }
    const activated = await this.licenses.activate(
      license._id,
      { machineId, activatedAt: now, issuedAt: now, ...termFrom(now, license.duration) },
      licenseEvent({ license: license._id, type: 'activated', at: now, machineId }),
    );
    return activated ? { outcome: 'activated', license: activated } : undefined;
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

  private async find(key: string): Promise<License | null> {
    const normalKey = this.keys.parse(key);
    return normalKey ? this.licenses.findByKeyHash(this.keys.hash(normalKey)) : null;
  }
}
