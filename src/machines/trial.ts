import type { AccountId } from '../shared/ids.js';
import { collection, type RecordOf, field } from '../storage/collection.js';

/** How long a machine's activation of a plan is remembered, in days. */
export const TRIAL_DAYS = 400;

const FIELDS = {
  /** Keyed hash of the machine and the plan. */
  _id: field.text(),
  accountId: field.id<AccountId>(),
  /** The license that the machine activated; for a replacement, the first license. */
  license: field.id(),
  expiresAt: field.time(),
};

/** A machine that has activated a license of a once-per-machine plan. */
export const TRIALS = collection<RecordOf<typeof FIELDS>>('trials', {
  fields: FIELDS,
  indexes: [['accountId'], ['expiresAt']],
  account: 'accountId',
  expires: 'expiresAt',
});
