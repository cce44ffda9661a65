import { SIGNING_KEYS, type SigningKeys } from '../certificates/signing-keys/signing-keys.js';
import { toAccountId } from '../shared/ids/account-id.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { type Change, insert, replace, touch } from '../storage/changes.js';
import type { Decisions } from '../storage/decisions.js';
import type { Store } from '../storage/store.js';
import { CommandError } from './command-error.js';

/** What an import may overwrite besides earlier keys of the same issuer. */
export interface Overwrite {
  /** Keys of another issuer. */
  readonly replace?: boolean;
  /** Any keys, also those that were rotated since the export. */
  readonly force?: boolean;
}

/**
 * Gives an account the exported signing keys of an issuer.
 *
 * @returns the keys as they are stored
 * @throws CommandError where the account has rotated its keys since, the issuer is another account's, the account has keys of another
 *   issuer that are not to be replaced, or was deleted meanwhile
 */
export function importSigningKeys(
  exported: SigningKeys,
  { replace: replaces = false, force = false }: Overwrite,
  store: Store,
  decisions: Decisions,
): Promise<SigningKeys> {
  const { _id, issuer } = exported;
  return decisions.run(async (failed?: Change) => {
    if (failed?.collection === TOTALS)
      throw new CommandError('The account has been deleted meanwhile.');
    const stored = await store.find(SIGNING_KEYS, { _id });
    const isOfIssuer = stored?.issuer === issuer;
    if (stored && !isOfIssuer && !(replaces || force)) {
      throw new CommandError(
        `The account has the keys of issuer ${stored.issuer}, and the file those of ${issuer}. Software that was ` +
          'built with the former would accept no new certificates: to replace them, add --replace.',
      );
    }
    if (isOfIssuer && stored.rotations > exported.rotations && !force) {
      throw new CommandError(
        `The account has rotated its keys since the file was exported (rotation count ${exported.rotations}): import ` +
          'a later export, or undo the rotations by --force.',
      );
    }
    if (!isOfIssuer && (await isTaken(exported, store))) {
      throw new CommandError(`Another account has the keys of issuer ${issuer}.`);
    }
    // The count is the account's: keys of another issuer do not lower it either.
    const rotations = Math.max(exported.rotations, stored?.rotations ?? 0);
    const keys = { ...exported, rotations };
    const change = stored ? replace(SIGNING_KEYS, stored, keys) : insert(SIGNING_KEYS, keys);
    return { result: keys, changes: [touch(TOTALS, _id), change] };
  });
}

/** Whether an issuer is another account's: the one whose keys have it, or the one whose id it is. */
async function isTaken({ _id, issuer }: SigningKeys, store: Store): Promise<boolean> {
  if (await store.find(SIGNING_KEYS, { issuer })) return true;
  return issuer !== _id && (await store.find(TOTALS, { _id: toAccountId(issuer) })) !== null;
}
