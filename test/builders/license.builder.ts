import { issueLicense, type License, termFrom } from '../../src/licenses/license.js';
import { createdEvent, type LicenseEvent } from '../../src/licenses/license-event.js';
import { renewedTerm } from '../../src/licenses/license-transitions.js';
import type {
  Activation,
  Certification,
  Reissue,
  Renewal,
} from '../../src/licenses/licenses.repository.js';
import type { Project } from '../../src/projects/project.js';
import type { NewLicense } from '../../src/projects/projects.repository.js';
import { newObjectId } from '../../src/shared/ids/object-id.js';
import { anEvent } from './event.builder.js';
import { at } from './time.js';

/** A PENDING license of this project. */
export function aLicense(
  project: Pick<Project, '_id' | 'client' | 'product' | 'owner' | 'createdAt'>,
  fields: Partial<License> = {},
): License {
  const _id = newObjectId();
  const { owner: user, client, product } = project;
  const parents = { user, client, project: project._id, product, replaces: null };
  const key = { keyHash: `hash-${_id}`, sealedKey: `sealed-${_id}` };
  const issued = { _id, duration: 6, services: ['Hosting', 'Domain'] as const, ...key, ...parents };
  return { ...issueLicense(issued, project.createdAt), ...fields };
}

/** A license with the event of its creation, as it is stored. */
export function aNewLicense(license: License): NewLicense {
  return { license, event: createdEvent(license) };
}

/** What an ACTIVE license has that a PENDING one has not: a term of six months that ends then. */
export function activeUntil(expiresAt: Date): Partial<License> {
  return { status: 'ACTIVE', machineId: 'machine 1', activatedAt: at(2), expiresAt };
}

/** The first activation of a license, for six months, on this machine. */
export function anActivation(machineId: string): Activation {
  const activatedAt = at(2);
  return { machineId, activatedAt, issuedAt: activatedAt, ...termFrom(activatedAt, 6) };
}

/** The renewal of an ACTIVE license. */
export function aRenewal(license: License, months: number, updatedAt = at(3)): Renewal {
  const term = renewedTerm(license, months, updatedAt);
  if (!term) throw new Error(`${license.termMonths} and ${months} months are no term`);
  return { ...term, updatedAt };
}

/** A certificate of a license for a machine without a network. It activates a PENDING license for that machine. */
export function aCertification(
  read: License,
  machineId = 'machine 1',
  fields: Partial<LicenseEvent> = {},
): Certification {
  const by = { actor: read.user, machineId };
  const activated = anEvent(read, 'activated', by);
  const activation = { fields: anActivation(machineId), event: activated };
  return {
    read,
    activation: read.status === 'PENDING' ? activation : null,
    certificate: `certificate-${newObjectId()}`,
    event: anEvent(read, 'certificate_issued', {
      ...{ ...by, at: at(3), certificateExpiresAt: at(24 * 60) },
      ...fields,
    }),
  };
}

/** The reissue of a license, at a time after its creation and first activation. */
export function aReissue(license: License, fields: Partial<License> = {}): Reissue {
  const now = at(4);
  const { project, client, product, user } = license;
  const parents = { _id: project, client, product, owner: user, createdAt: now };
  const replacement = { ...aLicense(parents, fields), replaces: license._id };
  return {
    revocation: { revokedAt: now, revokedReason: 'Reissued' },
    replacement,
    events: [
      anEvent(license, 'reissued', { at: now, actor: user }),
      anEvent(replacement, 'created', { at: now, actor: user }),
    ],
  };
}
