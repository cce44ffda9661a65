import { issueLicense, type License } from '../../src/licenses/license.js';
import { termsOf } from '../../src/licenses/license-terms.js';
import type { Machine } from '../../src/licenses/machine.js';
import type { Project } from '../../src/projects/project.js';
import { newRecord } from '../../src/shared/ids/object-id.js';
import { startOfDay } from '../../src/shared/time/days.js';
import { at } from './time.js';

/** A PENDING license of this project. */
export function aLicense(
  project: Pick<Project, '_id' | 'client' | 'product' | 'owner' | 'createdAt'>,
  fields: Partial<License> = {},
): License {
  const record = newRecord();
  const { owner: user, client, product } = project;
  const parents = { user, client, project: project._id, product, replaces: null, releasedAt: [] };
  const key = { keyHash: `hash-${record._id}`, sealedKey: `sealed-${record._id}` };
  const terms = termsOf({ duration: 6, services: ['Hosting', 'Domain'] }, null);
  return {
    ...issueLicense({ ...record, ...terms, ...key, ...parents }, project.createdAt),
    ...fields,
  };
}

/** What an ACTIVE license has that a PENDING one has not: a term of six months that ends then. */
export function activeUntil(expiresAt: Date): Partial<License> {
  return { status: 'ACTIVE', machines: [aMachine('machine 1')], activatedAt: at(2), expiresAt };
}

/** A place that a machine keeps until it is released. */
export const aMachine = (machineId: string, fields: Partial<Machine> = {}): Machine => ({
  machineId,
  name: null,
  activatedAt: at(2),
  lastSeenAt: startOfDay(at(2)),
  leaseEndsAt: null,
  isCertified: false,
  certificateEndsAt: null,
  isReleased: false,
  ...fields,
});
