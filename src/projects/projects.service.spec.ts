import { randomBytes } from 'node:crypto';
import { aClient } from '../../test/builders/client.builder.js';
import { anIdempotencyRecord } from '../../test/builders/idempotency-record.builder.js';
import { aProject } from '../../test/builders/project.builder.js';
import { FakeClock } from '../../test/fake-clock.js';
import { createdEvent } from '../licenses/license-event.js';
import { LicenseIssuer } from '../licenses/license-issuer.service.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import type { Config } from '../shared/config/config.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { IdempotencyRecord, StoredResult } from '../shared/idempotency/idempotency-record.js';
import { IdempotentWrites } from '../shared/idempotency/idempotent-writes.service.js';
import { type AccountId, newAccountId } from '../shared/ids/account-id.js';
import type { DeletedLicensesWorker } from './deleted-licenses.worker.js';
import type { Project } from './project.js';
import type { NewLicense, ProjectsRepository } from './projects.repository.js';
import { ProjectsService } from './projects.service.js';

type Outcome = 'client_not_found' | 'project_not_found' | 'key_collision' | 'stored';

interface StoreCall extends NewLicense {
  readonly project?: Project;
  readonly idempotency: IdempotencyRecord | undefined;
}

const now = new FakeClock().now();
const STORED = aProject(aClient());
const USER = STORED.owner;

const keys = new LicenseKeyService({ keyPrefix: 'LIC' } as Config, new DataKeys(randomBytes(96)));
const TERMS = { duration: 6, services: ['Hosting'] as const };
const REQUEST = { client: '2'.repeat(24), name: 'Shop', product: 'web-shop', ...TERMS };

/** The service on a store with given outcomes: two keys of 62 random bits do not collide in practice. */
function serviceOf(outcomes: Outcome[], kept: StoredResult | null = null) {
  const calls: StoreCall[] = [];
  const respond = (call: StoreCall, stored: object) => {
    calls.push(call);
    const outcome = outcomes[calls.length - 1] ?? 'key_collision';
    return outcome === 'stored' ? stored : outcome;
  };
  const repository = {
    createWithFirstLicense: async (
      project: Project,
      first: NewLicense,
      idempotency?: IdempotencyRecord,
    ) => respond({ project, ...first, idempotency }, { project, license: first.license }),
    addLicense: async (added: NewLicense, idempotency?: IdempotencyRecord) =>
      respond({ ...added, idempotency }, added.license),
    findOwned: async (_id: string, owner: AccountId) =>
      _id === STORED._id && owner === USER ? STORED : null,
  } as unknown as ProjectsRepository;
  const idempotent = new IdempotentWrites({ find: async () => kept });
  const issuer = new LicenseIssuer(keys);
  const clock = new FakeClock();
  const worker = { wake: () => undefined } as DeletedLicensesWorker;
  return { calls, service: new ProjectsService(repository, issuer, idempotent, worker, clock) };
}

function create(...outcomes: Outcome[]) {
  const { calls, service } = serviceOf(outcomes);
  return { calls, created: service.createWithFirstLicense(USER, REQUEST) };
}

describe('ProjectsService', () => {
  it('creates a project and its license with the same time, account and client', async () => {
    const { calls, created } = create('stored');
    const { project, license } = await created;
    expect(calls).toMatchObject([{ project, license, idempotency: undefined }]);
    expect(calls[0]?.event).toEqual({
      ...createdEvent(license),
      _id: expect.any(String) as string,
    });
    expect(project).toMatchObject({
      name: 'Shop',
      product: 'web-shop',
      owner: USER,
      createdAt: now,
      updatedAt: now,
    });
    expect(license).toMatchObject({
      ...TERMS,
      user: USER,
      client: project.client,
      project: project._id,
      product: 'web-shop',
      status: 'PENDING',
      replaces: null,
      createdAt: now,
    });
    expect(keys.reveal(license)).toContain(`-${project._id}-`);
  });

  it('tries another key for the same project after each of two collisions', async () => {
    const { calls, created } = create('key_collision', 'key_collision', 'stored');
    const { project, license } = await created;
    expect(calls).toHaveLength(3);
    expect(calls.at(-1)).toMatchObject({ project, license, event: { license: license._id } });
    expect(new Set(calls.map((each) => each.project?._id)).size).toBe(1);
    expect(new Set(calls.map((each) => keys.reveal(each.license))).size).toBe(3);
  });

  it('fails after three keys with an unexpected error', async () => {
    const { calls, created } = create();
    await expect(created).rejects.toThrow('No unique license key in 3 attempts');
    await expect(created).rejects.not.toBeInstanceOf(DomainError);
    expect(calls).toHaveLength(3);
  });

  it('rejects an unknown client without another attempt, also after a collision', async () => {
    for (const before of [[], ['key_collision']] as Outcome[][]) {
      const { calls, created } = create(...before, 'client_not_found');
      await expect(created).rejects.toMatchObject({ code: 'CLIENT_NOT_FOUND' });
      expect(calls).toHaveLength(before.length + 1);
    }
  });

  describe('addLicense', () => {
    it("issues a license for the project's own account and client", async () => {
      const { calls, service } = serviceOf(['stored']);
      const license = await service.addLicense(STORED._id, USER, TERMS);
      expect(license).toMatchObject({
        ...TERMS,
        user: USER,
        client: STORED.client,
        project: STORED._id,
      });
      expect(calls).toMatchObject([{ license, event: { license: license._id } }]);
    });

    it("rejects another account's project, and one that is deleted meanwhile", async () => {
      const { calls, service } = serviceOf(['project_not_found']);
      const rejected = { code: 'PROJECT_NOT_FOUND' };
      const foreign = service.addLicense(STORED._id, newAccountId(), TERMS);
      await expect(foreign).rejects.toMatchObject(rejected);
      expect(calls).toEqual([]);
      await expect(service.addLicense(STORED._id, USER, TERMS)).rejects.toMatchObject(rejected);
    });
  });

  describe('with an idempotency key', () => {
    const idempotency = anIdempotencyRecord();

    it('passes the idempotency record to the store with every attempt', async () => {
      const { calls, service } = serviceOf(['key_collision', 'stored', 'stored']);
      await service.createWithFirstLicense(USER, REQUEST, idempotency);
      await service.addLicense(STORED._id, USER, TERMS, idempotency);
      expect(calls.map((call) => call.idempotency)).toEqual([
        idempotency,
        idempotency,
        idempotency,
      ]);
    });

    it('returns the first result to a repeated request, and does not write', async () => {
      const result = { what: 'was returned the first time' };
      const kept = { requestHash: idempotency.requestHash, result };
      const { calls, service } = serviceOf([], kept);
      expect(await service.createWithFirstLicense(USER, REQUEST, idempotency)).toBe(result);
      // Even though the project has been deleted.
      expect(await service.addLicense('8'.repeat(24), USER, TERMS, idempotency)).toBe(result);
      expect(calls).toEqual([]);
    });
  });
});
