import type { Client } from '../../src/clients/client.js';
import type { License } from '../../src/licenses/license.js';
import { anEvent } from '../builders/event.builder.js';
import { aLicense, aNewLicense, anActivation } from '../builders/license.builder.js';
import { aProject } from '../builders/project.builder.js';
import { at } from '../builders/time.js';

/** For `projects.createWithFirstLicense`. */
export function aProjectWithLicense(client: Client) {
  const project = aProject(client);
  return [project, aNewLicense(aLicense(project))] as const;
}

/** For `licenses.activate`: for six months. */
export function activationOf(license: Pick<License, '_id'>, machineId = 'machine 1') {
  const event = anEvent(license, 'activated', { machineId });
  return [license._id, anActivation(machineId), event] as const;
}

/** For `licenses.revoke`. */
export function revocationOf(license: Pick<License, '_id' | 'user'>) {
  const event = anEvent(license, 'revoked', { at: at(3) });
  return [license._id, license.user, { revokedAt: at(3), revokedReason: null }, event] as const;
}
