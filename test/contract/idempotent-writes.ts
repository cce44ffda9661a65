import { rotated } from '../../src/certificates/signing-keys/signing-keys.js';
import type { IdempotencyRecord } from '../../src/shared/idempotency/idempotency-record.js';
import { aClient } from '../builders/client.builder.js';
import { anEvent } from '../builders/event.builder.js';
import {
  aCertification,
  aLicense,
  aNewLicense,
  aReissue,
  aRenewal,
} from '../builders/license.builder.js';
import { aSigningKey } from '../builders/signing-keys.builder.js';
import { at } from '../builders/time.js';
import { aProjectWithLicense, revocationOf } from './port-arguments.js';
import type { Step, StoreUnderTest } from './store-under-test.js';
import { Stored } from './stored.js';

/** A write of fixed records, with or without an idempotency record. */
export type IdempotentWrite = (idempotency?: IdempotencyRecord) => Promise<unknown>;

interface Prepared {
  readonly name: string;
  /** The statements of its transaction. */
  readonly steps: readonly Step[];
  /** Stores the records that the write depends on. */
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
      const created = aProjectWithLicense(await new Stored(store).client());
      return (idempotency) => store.projects.createWithFirstLicense(...created, idempotency);
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
      const revocation = revocationOf(await new Stored(store).activeLicense());
      return (idempotency) => store.licenses.revoke(...revocation, idempotency);
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
    name: 'licenses.certify, of a PENDING license',
    steps: ['license', 'event', 'idempotency', 'commit'],
    prepare: async (store) => {
      const certification = aCertification(await new Stored(store).license());
      return (idempotency) => store.licenses.certify(certification, idempotency);
    },
  },
  {
    name: 'licenses.certify, of an ACTIVE license',
    steps: ['event', 'idempotency', 'commit'],
    prepare: async (store) => {
      const certification = aCertification(await new Stored(store).activeLicense());
      return (idempotency) => store.licenses.certify(certification, idempotency);
    },
  },
  {
    name: 'signingKeys.rotate',
    steps: ['signing keys', 'idempotency', 'commit'],
    prepare: async (store) => {
      const keys = await new Stored(store).signingKeys();
      const after = rotated(keys, aSigningKey(), false, at(3))!;
      return (idempotency) => store.signingKeys.rotate(keys.current.kid, after, idempotency);
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
