import { type License, LICENSES, withNoticesLeft, withProductOf } from '../licenses/license.js';
import type { Project } from '../projects/project.js';
import type { Store } from '../storage/store.js';

/** A deleted license as it returns to its project. */
export const restoredLicense = (license: License, project: Project, now: Date): License =>
  withNoticesLeft(withProductOf(license, project), now);

/** A license that has a unique value of a deleted one, and the field. */
export interface LicenseConflict {
  readonly field: string;
  readonly holder: License;
}

/** The license that blocks the restore of a deleted one; undefined if none does. */
export async function conflictOf(
  store: Store,
  license: License,
): Promise<LicenseConflict | undefined> {
  const found = await Promise.all(
    LICENSES.unique.map(async (fields) => {
      const key = Object.fromEntries(fields.map((field) => [field, license[field]]));
      const holder = Object.values(key).includes(null) ? null : await store.find(LICENSES, key);
      return holder ? [{ field: fields.at(-1)!, holder }] : [];
    }),
  );
  return found.flat()[0];
}
