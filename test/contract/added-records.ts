import type { Quotas } from '../../src/shared/config/config.js';
import type { ErrorCode } from '../../src/shared/errors/error-codes.js';
import type { IdempotencyRecord } from '../../src/shared/idempotency/idempotency-record.js';
import type { AccountId } from '../../src/shared/ids/account-id.js';
import { aClient } from '../builders/client.builder.js';
import { aLicense, aNewLicense, aReissue } from '../builders/license.builder.js';
import { aProjectWithLicense } from './port-arguments.js';
import type { StoreUnderTest } from './store-under-test.js';
import { Stored } from './stored.js';

/** Adds one record to the account. */
type Add = (idempotency?: IdempotencyRecord) => Promise<unknown>;

interface Adding {
  readonly name: string;
  readonly quota: keyof Quotas;
  readonly code: ErrorCode;
  /** Stores the records that the writes depend on, and returns that many different writes. */
  readonly prepare: (store: StoreUnderTest, owner: AccountId, times: number) => Promise<Add[]>;
}

const repeat = <T>(times: number, make: (index: number) => T): T[] =>
  Array.from({ length: times }, (_, index) => make(index));

async function newProjects(store: StoreUnderTest, owner: AccountId, times: number): Promise<Add[]> {
  const client = await new Stored(store).client({ owner });
  return repeat(times, () => {
    const created = aProjectWithLicense(client);
    return (idempotency) => store.projects.createWithFirstLicense(...created, idempotency);
  });
}

/** Every method of a port that adds records of which an account has a quota. */
export const ADDING: readonly Adding[] = [
  {
    name: 'clients.create',
    quota: 'clients',
    code: 'CLIENT_QUOTA_REACHED',
    prepare: async ({ clients }, owner, times) =>
      repeat(times, () => {
        const client = aClient({ owner });
        return (idempotency) => clients.create(client, idempotency);
      }),
  },
  {
    name: 'projects.createWithFirstLicense',
    quota: 'projects',
    code: 'PROJECT_QUOTA_REACHED',
    prepare: newProjects,
  },
  {
    name: 'projects.createWithFirstLicense',
    quota: 'licenses',
    code: 'LICENSE_QUOTA_REACHED',
    prepare: newProjects,
  },
  {
    name: 'projects.addLicense',
    quota: 'licenses',
    code: 'LICENSE_QUOTA_REACHED',
    prepare: async (store, owner, times) => {
      const stored = new Stored(store);
      const { project } = await stored.project(await stored.client({ owner }));
      return repeat(times, () => {
        const added = aNewLicense(aLicense(project));
        return (idempotency) => store.projects.addLicense(added, idempotency);
      });
    },
  },
  {
    name: 'licenses.reissue',
    quota: 'licenses',
    code: 'LICENSE_QUOTA_REACHED',
    prepare: async (store, owner, times) => {
      const stored = new Stored(store);
      const { project } = await stored.project(await stored.client({ owner }));
      const licenses = await Promise.all(repeat(times, () => stored.licenseOf(project)));
      return licenses.map((license) => {
        const reissue = aReissue(license);
        return (idempotency) => store.licenses.reissue(reissue, idempotency);
      });
    },
  },
];
