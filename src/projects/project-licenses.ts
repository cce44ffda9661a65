import { hasStatus } from '../licenses/license-query.js';
import { LICENSES } from '../licenses/license.js';
import type { Store } from '../storage/store.js';
import { TURN_SIZE } from './project-task.js';
import type { Project } from './project.js';

/**
 * Whether certificates may contain a project's product, or the project has more licenses than one commit
 * can change.
 */
export async function needsProduct(
  store: Store,
  { _id, owner, licensesCount }: Project,
): Promise<boolean> {
  if (licensesCount > TURN_SIZE) return true;
  const activated = { project: _id, user: owner, activatedAt: { not: null } } as const;
  return (await store.count(LICENSES, activated, 1)) > 0;
}

/** Whether licenses of a project are usable now or suspended. */
export async function hasActiveLicenses(
  store: Store,
  { _id, owner }: Project,
  now: Date,
): Promise<boolean> {
  const counts = await Promise.all(
    (['ACTIVE', 'SUSPENDED'] as const).map((status) =>
      store.count(LICENSES, { project: _id, user: owner, ...hasStatus(status, now) }, 1),
    ),
  );
  return counts.some((count) => count > 0);
}
