import type { AccountId } from '../shared/ids.js';
import { collection, id, type RecordOf, text, time } from '../storage/collection.js';

/** Days for which it is known that a machine has activated a license of a plan. */
export const TRIAL_DAYS = 400;

const FIELDS = {
  /** Keyed hash of the machine and the plan. */
  _id: text(),
  accountId: id<AccountId>(),
  /** The license that the machine has activated, or of replacements the first license. */
  license: id(),
  expiresAt: time(),
};

/** A machine that has activated a license of a plan which each machine may use once. */
export const TRIALS = collection<RecordOf<typeof FIELDS>>('trials', {
  fields: FIELDS,
  indexes: [['accountId'], ['expiresAt']],
  account: 'accountId',
  expires: 'expiresAt',
});
