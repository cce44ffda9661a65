import { USERS } from '../../build/auth/accounts/user.js';
import { SESSION_LIFE, SESSIONS } from '../../build/auth/sessions/session.js';
import { CLIENTS, newClient } from '../../build/clients/client.js';
import { issueLicense, LICENSES } from '../../build/licenses/license.js';
import { termsOf } from '../../build/licenses/license-terms.js';
import { activated } from '../../build/licenses/license-transitions.js';
import { EVENTS } from '../../build/events/event.js';
import { LicenseEvents, machineActor } from '../../build/licenses/license-events.service.js';
import { LicenseKeyService } from '../../build/licenses/license-key.service.js';
import { MACHINES, newMachine } from '../../build/machines/machine.js';
import { MachineIdProvider } from '../../build/machines/machine-id.provider.js';
import { newProject, projectEvent, PROJECTS } from '../../build/projects/project.js';
import { newObjectId } from '../../build/shared/ids/object-id.js';
import { newTotals, TOTALS } from '../../build/shared/quotas/account-totals.js';
import { NOT_STORED } from '../../build/storage/collection.js';

/** The fingerprint of the first machine of every license. */
export const FINGERPRINT = 'fingerprint-of-the-benchmark';

/** The fingerprint of a machine of a license, by its number. */
export const fingerprintOf = (machine) =>
  machine === 0 ? FINGERPRINT : `${FINGERPRINT}-${machine}`;

const TERMS = { duration: 6, services: ['Hosting', 'Domain'] };

/** The end of every lease that is stored: no run lasts so long, and each heartbeat moves it. */
export const LEASE_END = new Date('2100-01-01');

/** Creates accounts with all their records as the service does, without storing them. */
export class World {
  #keys;
  #machines;
  #events;

  constructor(config, dataKeys) {
    this.#keys = new LicenseKeyService(config, dataKeys);
    this.#machines = new MachineIdProvider(config, undefined, dataKeys);
    this.#events = new LicenseEvents(undefined, this.#keys);
  }

  /**
   * @param {string} passwordHash
   * @param {object[]} sizes of parts of the account
   * @param {number} sizes.clients
   * @param {number} sizes.projects of a client
   * @param {number} sizes.pending licenses of a project
   * @param {number} sizes.active licenses of a project, activated now
   * @param {number} [sizes.machines] of an active license
   * @param {object} [sizes.terms] of a license, besides its term
   * @returns the records of each collection, and the keys in the order of the licenses
   */
  makeAccount(passwordHash, sizes) {
    const now = new Date();
    const _id = newObjectId();
    const [clients, projects, licenses, machines, events, keys] = [[], [], [], [], [], []];
    for (const { clients: clientsCount, projects: projectsCount, ...ofProject } of sizes) {
      const { pending, active, machines: seats = 1, terms } = ofProject;
      for (let c = 0; c < clientsCount; c++) {
        const fields = { name: `Client ${c}`, email: `${newObjectId()}@example.com` };
        const client = { ...newClient(_id, fields, now), projectsCount };
        clients.push(client);
        for (let p = 0; p < projectsCount; p++) {
          const licensesCount = pending + active;
          const project = { ...makeProject(_id, client._id, now), licensesCount };
          projects.push(project);
          for (let l = 0; l < licensesCount; l++) {
            const { license, key } = this.#makeLicense(project, now, terms);
            if (l < pending) licenses.push(license);
            else {
              licenses.push({ ...activated(license, now), seats });
              for (let m = 0; m < seats; m++) machines.push(this.#makeMachine(license, m, now));
            }
            events.push(this.#events.recordCreation(license).record);
            keys.push(key);
          }
        }
      }
    }
    const user = {
      ...{ name: 'Ada', email: `${_id}@example.com`, passwordHash, disabledAt: null },
      ...{ account: _id, role: 'owner' },
    };
    const stored = { _id, version: NOT_STORED };
    const totals = {
      ...newTotals(_id),
      clientsCount: clients.length,
      projectsCount: projects.length,
      licensesCount: licenses.length,
    };
    const records = [
      [USERS, [{ ...stored, ...user, createdAt: now, updatedAt: now }]],
      [TOTALS, [totals]],
      [SESSIONS, [{ ...stored, ...sessionFrom(_id, now), familyHash: _id, tokenHash: _id }]],
      [CLIENTS, clients],
      [PROJECTS, projects],
      [LICENSES, licenses],
      [MACHINES, machines],
      [EVENTS, events],
    ];
    return { records, keys };
  }

  /** A project with its first license and the events of both. */
  makeProject(account, client) {
    const now = new Date();
    const project = makeProject(account, client, now);
    const { license } = this.#makeLicense(project, now);
    const changes = [
      projectEvent('created', project, now, { client, product: null }),
      this.#events.recordCreation(license),
    ];
    return { project, license, events: changes.map(({ record }) => record) };
  }

  keyHashOf(key) {
    return this.#keys.hash(this.#keys.parse(key));
  }

  /** What the first activation of a key changes, its machine, and its event, which have not the license's id. */
  activationOf(account, key) {
    const now = new Date();
    const project = this.#keys.projectOf(key);
    const machineId = this.#machines.machineIdFor(project, FINGERPRINT);
    const pending = { ...termsOf(TERMS, null), status: 'PENDING' };
    const { status, activatedAt, issuedAt, updatedAt, ...license } = activated(pending, now);
    const { termStart, termMonths, termDays, expiresAt, nextNoticeAt } = license;
    // Named by any key: its id is known when it is found.
    const _id = newObjectId();
    const sealed = { _id, ...this.#keys.store(key, _id) };
    return {
      keyHash: this.keyHashOf(key),
      activation: {
        ...{ status, seats: 1, activatedAt, issuedAt, updatedAt },
        ...{ termStart, termMonths, termDays, expiresAt, nextNoticeAt },
      },
      machine: newMachine({ user: account }, _id, { machineId }, null, now),
      event: this.#events.record('activated', { ...sealed, user: account }, now, {
        ...{ data: { machineId, expiresAt }, by: machineActor({ machineId }) },
      }).record,
    };
  }

  #makeLicense({ _id: project, client, owner: user, product }, now, terms) {
    const _id = newObjectId();
    const key = this.#keys.generate(project);
    const origin = { user, client, project, product, replaces: null, releasedAt: [] };
    const stored = this.#keys.store(key, _id);
    const issued = { ...termsOf({ ...TERMS, ...terms }, null), ...stored, ...origin };
    return { license: issueLicense({ _id, version: NOT_STORED, ...issued }, now), key };
  }

  #makeMachine(license, number, now) {
    const machineId = this.#machines.machineIdFor(license.project, fingerprintOf(number));
    const leaseEndsAt = license.leaseSeconds === null ? null : LEASE_END;
    return newMachine(license, license.seatsOf, { machineId }, leaseEndsAt, now);
  }
}

/** A session that no refresh token goes on with: that of the account's access tokens. */
const sessionFrom = (user, startedAt) => ({
  ...{
    user,
    accountId: user,
    startedAt,
    lastUsedAt: startedAt,
    address: '127.0.0.1',
    userAgent: null,
  },
  expiresAt: new Date(startedAt.getTime() + SESSION_LIFE),
});

const makeProject = (account, client, now) =>
  newProject(account, { client, name: 'Web shop', product: null }, now);
