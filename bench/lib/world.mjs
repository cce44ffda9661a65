import { MachineIdProvider } from '../../dist/activation/machine-id.provider.js';
import { issueLicense, termFrom } from '../../dist/licenses/license.js';
import { createdEvent, licenseEvent } from '../../dist/licenses/license-event.js';
import { LicenseKeyService } from '../../dist/licenses/license-key.service.js';
import { newObjectId } from '../../dist/shared/ids/object-id.js';

/** The fingerprint with which every license is activated. */
export const FINGERPRINT = 'fingerprint-of-the-benchmark';

const TERMS = { duration: 6, services: ['Hosting', 'Domain'] };

/** Creates users with all their records as the service does, without storing them. */
export class World {
  #keys;
  #machines;

  constructor(config, dataKeys) {
    this.#keys = new LicenseKeyService(config, dataKeys);
    this.#machines = new MachineIdProvider(config, undefined, dataKeys);
  }

  /**
   * @param {object} size
   * @param {number} size.clients of a user
   * @param {number} size.projects of a client
   * @param {number} size.pending licenses of a project
   * @param {number} size.active licenses of a project, activated now
   */
  makeUser({ clients, projects, pending, active }) {
    const now = new Date();
    const times = { createdAt: now, updatedAt: now };
    const _id = newObjectId();
    const user = {
      ...{ _id, name: 'Ada', email: `${_id}@example.com`, passwordHash: 'none' },
      ...times,
    };
    const made = { user, clients: [], projects: [], licenses: [], events: [], keys: [] };
    for (let c = 0; c < clients; c++) {
      const client = { _id: newObjectId(), name: `Client ${c}`, owner: _id, ...times };
      made.clients.push({ ...client, email: `${client._id}@example.com` });
      for (let p = 0; p < projects; p++) {
        const project = makeProject(_id, client._id, now);
        made.projects.push(project);
        for (let l = 0; l < pending + active; l++) {
          const { license, key } = this.#makeLicense(project, now);
          made.licenses.push(l < pending ? license : this.#activated(license, now));
          made.events.push(createdEvent(license));
          made.keys.push(key);
        }
      }
    }
    return made;
  }

  /** A project with its first license and that license's event. */
  makeProject(user, client) {
    const now = new Date();
    const project = makeProject(user, client, now);
    const { license } = this.#makeLicense(project, now);
    return { project, license, event: createdEvent(license) };
  }

  keyHashOf(key) {
    return this.#keys.hash(this.#keys.parse(key));
  }

  machineIdOf(project) {
    return this.#machines.machineIdFor(project, FINGERPRINT);
  }

  #makeLicense({ _id: project, client, owner: user }, now) {
    const _id = newObjectId();
    const key = this.#keys.generate(project);
    const owners = { user, client, project, product: null, replaces: null };
    const stored = this.#keys.store(key, _id);
    return { license: issueLicense({ _id, ...stored, ...TERMS, ...owners }, now), key };
  }

  #activated(license, now) {
    const machineId = this.machineIdOf(license.project);
    return { ...license, status: 'ACTIVE', machineId, activatedAt: now };
  }
}

function makeProject(owner, client, now) {
  const times = { createdAt: now, updatedAt: now };
  return { _id: newObjectId(), name: 'Web shop', client, product: null, owner, ...times };
}

/** The changes and the event of the first activation of a key; the event lacks the license's id. */
export function activationOf(world, key) {
  const now = new Date();
  const [, project] = key.split('-');
  const machineId = world.machineIdOf(project.toLowerCase());
  return {
    keyHash: world.keyHashOf(key),
    activation: { machineId, activatedAt: now, issuedAt: now, ...termFrom(now, TERMS.duration) },
    event: licenseEvent({ license: '', type: 'activated', at: now, machineId }),
  };
}
