import { Injectable } from '@nestjs/common';
import type { License } from '../licenses/license.js';
import { PLANS } from '../plans/plan.js';
import { addDays } from '../shared/time/days.js';
import { type Change, insert, replace } from '../storage/changes.js';
import { NOT_STORED } from '../storage/collection.js';
import { Store } from '../storage/store.js';
import { MachineIdProvider } from '../machines/machine-id.provider.js';
import { type Trial, TRIAL_DAYS, TRIALS } from './trial.js';

/** Lets a machine activate one license of a plan that each machine may use once, and the replacements of it. */
@Injectable()
export class Trials {
  constructor(
    private readonly store: Store,
    private readonly machines: MachineIdProvider,
  ) {}

  /**
   * The changes that an activation of this license brings with it.
   *
   * @returns null where the machine has activated another license of the plan
   */
  async changesOf(
    license: License,
    { fingerprint }: { readonly fingerprint?: string | null },
    now: Date,
  ): Promise<Change[] | null> {
    if (license.plan === null) return [];
    const plan = await this.store.find(PLANS, { _id: license.plan });
    if (!plan?.oncePerMachine) return [];
    const _id = this.machines.machineIdFor(plan._id, fingerprint ?? undefined);
    const before = await this.store.find(TRIALS, { _id });
    const isUsed = before && before.expiresAt > now;
    const original = license.original ?? license._id;
    if (isUsed && before.license !== original) return null;
    const trial: Trial = {
      _id,
      version: NOT_STORED,
      accountId: license.user,
      license: original,
      expiresAt: addDays(now, TRIAL_DAYS),
    };
    return [before ? replace(TRIALS, before, trial) : insert(TRIALS, trial)];
  }
}
