import { rotated } from '../../src/certificates/signing-keys/signing-keys.js';
import type { Client } from '../../src/clients/client.js';
import { type License, LICENSE_STATUSES } from '../../src/licenses/license.js';
import { rejectedEvent } from '../../src/licenses/license-event.js';
import type { LicenseQuery } from '../../src/licenses/licenses.repository.js';
import type { Project } from '../../src/projects/project.js';
import type { IdempotencyRecord } from '../../src/shared/idempotency/idempotency-record.js';
import { newAccountId } from '../../src/shared/ids/account-id.js';
import { anIdempotencyRecord } from '../builders/idempotency-record.builder.js';
import { aClient } from '../builders/client.builder.js';
import { anEvent } from '../builders/event.builder.js';
import {
  aCertification,
  aLicense,
  aNewLicense,
  anActivation,
  aReissue,
  aRenewal,
} from '../builders/license.builder.js';
import { aProject } from '../builders/project.builder.js';
import { aSigningKey, someSigningKeys } from '../builders/signing-keys.builder.js';
import { at } from '../builders/time.js';
import { Random } from '../random.js';
import { readPages } from './pages.js';
import type { StoreUnderTest } from './store-under-test.js';

/** An operation on a store. */
export type Operation = (store: StoreUnderTest) => Promise<unknown>;

const MONTH = 31 * 24 * 60;
const NAMES = ['Acme', 'acme ltd', 'Beta', 'Straße', 'a_b', '🚀'];
const PRODUCTS = ['shop', 'forum'];
const ALL_PROJECTS = { client: undefined, product: undefined };

/** Random operations on the records of two users. A record may have been deleted or changed by an earlier operation. */
export class RandomOperations {
  private readonly random: Random;
  private readonly users = [newAccountId(), newAccountId()];
  private readonly clients: Client[] = [aClient({ owner: this.users[0]! })];
  private readonly projects: Project[] = [aProject(this.clients[0]!)];
  private readonly licenses: License[] = [aLicense(this.projects[0]!)];
  private readonly records: IdempotencyRecord[] = [];

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  next(step: number): Operation {
    const now = at(step);
    const idempotency = this.idempotency(now);
    // Of the latest records, as most older ones are deleted.
    const [client, project, license] = [
      this.one(this.clients.slice(-10)),
      this.one(this.projects.slice(-10)),
      this.one(this.licenses.slice(-20)),
    ];
    const user = this.random.next() < 0.9 ? license.user : this.one(this.users);
    const fields = { updatedAt: now };
    const steps: (() => Operation)[] = [
      () => {
        const email = this.random.next() < 0.2 ? client.email : `${step}@acme.test`;
        const times = { createdAt: now, updatedAt: now };
        const owner = this.one(this.users);
        const made = this.added(
          this.clients,
          aClient({ owner, email, name: this.one(NAMES), ...times }),
        );
        return ({ clients }) => clients.create(made, idempotency);
      },
      () => {
        const changes = {
          name: this.one(NAMES),
          ...(step % 3 ? {} : { email: this.one(this.clients).email }),
        };
        return ({ clients }) => clients.update(client._id, client.owner, changes, now);
      },
      () =>
        ({ clients }) =>
          clients.deleteWithoutProjects(client._id, client.owner),
      () => {
        const made = this.added(this.projects, aProject(client, { createdAt: now, ...fields }));
        const first = aNewLicense(this.added(this.licenses, aLicense(made)));
        return ({ projects }) => projects.createWithFirstLicense(made, first, idempotency);
      },
      () => {
        const collides = this.random.next() < 0.4 ? { keyHash: license.keyHash } : {};
        const added = aNewLicense(
          this.added(this.licenses, aLicense(project, { createdAt: now, ...collides })),
        );
        return ({ projects }) => projects.addLicense(added, idempotency);
      },
      () =>
        ({ projects }) =>
          projects.update(project._id, project.owner, { name: `Shop ${step}` }, now),
      () => {
        const changes = { product: this.one(PRODUCTS) };
        return ({ projects }) => projects.update(project._id, project.owner, changes, now);
      },
      () => async (store) => {
        const now = at(step + 5 * MONTH);
        const outcome = await store.projects.deleteWithLicenses(project._id, project.owner, now);
        // Only then another license may have the key of one of its licenses.
        await store.removeDeleted();
        return outcome;
      },
      () => {
        const event = anEvent(license, 'activated', { at: now });
        return ({ licenses }) => licenses.activate(license._id, anActivation('machine 1'), event);
      },
      () => {
        const revocation = { revokedAt: now, revokedReason: step % 2 ? null : 'Contract ended' };
        const event = anEvent(license, 'revoked', { at: now });
        return ({ licenses }) => licenses.revoke(license._id, user, revocation, event, idempotency);
      },
      () => {
        const event = anEvent(license, 'renewed', { at: now, termEndedAt: step % 2 ? null : now });
        const months = 1 + (step % 12);
        return async (store) => {
          const read = (await store.licenses.findOwned(license._id, user)) ?? license;
          return store.licenses.renew(read, aRenewal(read, months, now), event, idempotency);
        };
      },
      () => {
        const end = at(step + this.random.between(1, 1_000));
        const made = aCertification(license, `machine ${1 + (step % 2)}`, {
          certificateExpiresAt: end,
        });
        return async (store) => {
          const read = (await store.licenses.findOwned(license._id, user)) ?? license;
          const activation = read.status === 'PENDING' ? made.activation : null;
          return store.licenses.certify({ ...made, read, activation }, idempotency);
        };
      },
      () => {
        const [first, fresh] = [someSigningKeys({ _id: this.one(this.users) }), aSigningKey()];
        return async ({ signingKeys }) => {
          const read = await signingKeys.keepFirst(first);
          if (read === 'account_deleted') return read;
          const after = rotated(read, fresh, step % 3 === 0, now);
          const current = step % 5 === 0 ? read.next.kid : read.current.kid;
          return after && signingKeys.rotate(current, after, idempotency);
        };
      },
      () => {
        const reissue = aReissue(license);
        this.licenses.push(reissue.replacement);
        return ({ licenses }) => licenses.reissue(reissue, idempotency);
      },
      () => {
        const rejection = rejectedEvent(license._id, 'revoked', `machine ${step}`, now);
        return ({ events }) => events.recordRejection(rejection);
      },
    ];
    return this.one(steps)();
  }

  /** All that the ports can read of the records, after the last step. */
  async read(store: StoreUnderTest, step: number): Promise<unknown[]> {
    const now = at(6 * MONTH);
    const all: unknown[] = [];
    for (const user of this.users) {
      const filter = { client: undefined, search: undefined };
      const counts = { now, expiringBy: [at(9 * MONTH)], activatedSince: at(0) };
      all.push(await readPages((page) => store.clients.listOwned(user, undefined, page), 7));
      all.push(await readPages((page) => store.clients.listOwned(user, 'acme', page), 7));
      all.push(await readPages((page) => store.projects.listOwned(user, ALL_PROJECTS, page), 7));
      for (const product of PRODUCTS) {
        const filter = { ...ALL_PROJECTS, product };
        all.push(await readPages((page) => store.projects.listOwned(user, filter, page), 7));
      }
      all.push(await store.signingKeys.find(user), await store.signingKeys.findByIssuer(user));
      all.push(await store.dashboard.read(user, filter, { limit: 5, after: undefined }));
      all.push(await store.dashboard.countLicenses(user, counts));
      const lists = [
        ...[undefined, ...LICENSE_STATUSES].map((status) => ({ status, product: undefined })),
        ...PRODUCTS.map((product) => ({ status: undefined, product })),
      ];
      for (const list of lists) {
        const query: LicenseQuery = {
          ...{ client: undefined, project: undefined, ...list },
          expiresBefore: undefined,
          sort: 'expiresAt',
          order: 'asc',
        };
        all.push(await readPages((page) => store.licenses.listOwned(user, query, page, now), 7));
      }
    }
    for (const { _id, keyHash } of this.licenses) {
      all.push(await store.licenses.findByKeyHash(keyHash));
      all.push(await readPages((page) => store.events.list(_id, page), 3));
      all.push((await store.events.listTermEnds(_id)).toSorted((a, b) => +a - +b));
    }
    for (const { _id } of this.records) all.push(await store.idempotency.find(_id, at(step)));
    return all;
  }

  private one<T>(of: readonly T[]): T {
    return this.random.of(of);
  }

  private added<T>(list: T[], record: T): T {
    list.push(record);
    return record;
  }

  /** Often none, and sometimes an earlier one, which may have expired. */
  private idempotency(createdAt: Date): IdempotencyRecord | undefined {
    if (this.random.next() < 0.5) return undefined;
    const times = { createdAt, expiresAt: new Date(createdAt.getTime() + 100 * 60_000) };
    if (this.records.length > 0 && this.random.next() < 0.3)
      return { ...this.one(this.records), ...times };
    return this.added(this.records, anIdempotencyRecord(times));
  }
}
