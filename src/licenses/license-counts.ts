import type { AccountId } from '../shared/ids.js';
import type { CountsByValue, Store } from '../storage/store.js';
import { LICENSES } from './license.js';

/** The number of licenses of each of these clients or plans, by its id; absent if it has none. */
export const countLicensesOf = (
  store: Store,
  user: AccountId,
  field: 'client' | 'plan',
  records: readonly { readonly _id: string }[],
): Promise<CountsByValue> => {
  const oneOf = records.map(({ _id }) => _id);
  return store.countBy(LICENSES, { user, [field]: { oneOf } }, field);
};
