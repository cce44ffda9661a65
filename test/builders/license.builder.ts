import { issueLicense, type License } from '../../src/licenses/license.js';
import type { Project } from '../../src/projects/project.js';
import { newRecord } from '../../src/shared/ids/object-id.js';
import { at } from './time.js';

/** A PENDING license of this project. */
export function aLicense(
  project: Pick<Project, '_id' | 'client' | 'product' | 'owner' | 'createdAt'>,
  fields: Partial<License> = {},
): License {
  const record = newRecord();
  const { owner: user, client, product } = project;
  const parents = { user, client, project: project._id, product, replaces: null };
  const key = { keyHash: `hash-${record._id}`, sealedKey: `sealed-${record._id}` };
  const terms = { duration: 6, services: ['Hosting', 'Domain'] as const };
  return {
    ...issueLicense({ ...record, ...terms, ...key, ...parents }, project.createdAt),
    ...fields,
  };
}

/** What an ACTIVE license has that a PENDING one has not: a term of six months that ends then. */
export function activeUntil(expiresAt: Date): Partial<License> {
  return { status: 'ACTIVE', machineId: 'machine 1', activatedAt: at(2), expiresAt };
}
