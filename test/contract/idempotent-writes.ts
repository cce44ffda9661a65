import type { IdempotencyRecord } from '../../src/shared/idempotency/idempotency-record.js';
import { aClient } from '../builders/client.builder.js';
import { anEvent } from '../builders/event.builder.js';
import { aLicense, aNewLicense, aReissue, aRenewal } from '../builders/license.builder.js';
import { aProject } from '../builders/project.builder.js';
import { at } from '../builders/time.js';
import type { CreationStep, StoreUnderTest } from './store-under-test.js';
import { Stored } from './stored.js';

/** A write that may have an idempotency key and can be repeated: each time it would do the same. */
export type IdempotentWrite = (idempotency?: IdempotencyRecord) => Promise<unknown>;

interface Prepared {
  readonly name: string;
  /** Where it writes; an engine may have fewer. */
  readonly steps: readonly CreationStep[];
  /** Stores what the write depends on. */
  readonly prepare: (store: StoreUnderTest) => Promise<IdempotentWrite>;
}

/** Every method of the business ports that takes an idempotency record. */
export const IDEMPOTENT_WRITES: readonly Prepared[] = [
  {
    name: 'clients.create',
    steps: ['client', 'idempotency', 'totals', 'commit'],
    prepare: async (store) => {
      const client = aClient();
      return (idempotency) => store.clients.create(client, idempotency);
    },
  },
  {
    name: 'projects.createWithFirstLicense',
    steps: ['client', 'project', 'license', 'event', 'idempotency', 'totals', 'commit'],
    prepare: async (store) => {
      const project = aProject(await new Stored(store).client());
      const first = aNewLicense(aLicense(project));
      return (idempotency) => store.projects.createWithFirstLicense(project, first, idempotency);
    },
  },
  {
    name: 'projects.addLicense',
    steps: ['project', 'license', 'event', 'idempotency', 'totals', 'commit'],
    prepare: async (store) => {
      const { project } = await new Stored(store).project();
      const added = aNewLicense(aLicense(project));
      return (idempotency) => store.projects.addLicense(added, idempotency);
    },
  },
  {
    name: 'licenses.revoke',
    steps: ['license', 'event', 'idempotency', 'commit'],
    prepare: async (store) => {
      const license = await new Stored(store).activeLicense();
      const { _id, user } = license;
      const revocation = { revokedAt: at(3), revokedReason: 'Contract ended' };
      const event = anEvent(license, 'revoked', { at: at(3) });
      return (idempotency) => store.licenses.revoke(_id, user, revocation, event, idempotency);
    },
  },
  {
    name: 'licenses.renew',
    steps: ['license', 'event', 'idempotency', 'commit'],
    prepare: async (store) => {
      const license = await new Stored(store).activeLicense();
      const renewal = aRenewal(license, 3);
      const event = anEvent(license, 'renewed', { at: at(3) });
      return (idempotency) => store.licenses.renew(license, renewal, event, idempotency);
    },
  },
  {
    name: 'licenses.reissue',
    steps: ['project', 'license', 'event', 'idempotency', 'totals', 'commit'],
    prepare: async (store) => {
      const reissue = aReissue(await new Stored(store).activeLicense());
      return (idempotency) => store.licenses.reissue(reissue, idempotency);
    },
  },
];
