import { randomBytes } from 'node:crypto';
import { anIdempotencyRecord } from '../../test/builders/idempotency-record.builder.js';
import { FakeClock } from '../../test/fake-clock.js';
import { createdEvent } from '../licenses/license-event.js';
import { LicenseIssuer } from '../licenses/license-issuer.service.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import type { Config } from '../shared/config/config.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { IdempotencyRecord, StoredResult } from '../shared/idempotency/idempotency-record.js';
import { IdempotencyRepository } from '../shared/idempotency/idempotency.repository.js';
import { IdempotentWrites } from '../shared/idempotency/idempotent-writes.service.js';
import { type AccountId, newAccountId, toAccountId } from '../shared/ids/account-id.js';
import type { Project } from './project.js';
import { type NewLicense, ProjectsRepository } from './projects.repository.js';
import { ProjectsService } from './projects.service.js';

type Rejection = 'client_not_found' | 'project_not_found' | 'key_collision';
type Outcome = Rejection | 'stored';

interface StoreCall extends NewLicense {
  readonly project?: Project;
  readonly idempotency: IdempotencyRecord | undefined;
}

const USER = toAccountId('1'.repeat(24));
const now = new FakeClock().now();
const STORED: Project = {
  _id: '5'.repeat(24),
  name: 'Stored',
  client: '6'.repeat(24),
  owner: USER,
  createdAt: now,
  updatedAt: now,
};

/** A store with given results: two keys of 62 random bits do not collide in practice. */
class FakeProjectsRepository extends ProjectsRepository {
  readonly calls: StoreCall[] = [];

  constructor(private readonly outcomes: Outcome[]) {
    super();
  }

  private response<T>(call: StoreCall, stored: T): T | Rejection {
    this.calls.push(call);
    const outcome = this.outcomes[this.calls.length - 1] ?? 'key_collision';
    return outcome === 'stored' ? stored : outcome;
  }

  async createWithFirstLicense(
    project: Project,
    first: NewLicense,
    idempotency?: IdempotencyRecord,
  ) {
    const created = { project, license: first.license };
    return this.response({ project, ...first, idempotency }, created) as typeof created;
  }

  async addLicense(added: NewLicense, idempotency?: IdempotencyRecord) {
    return this.response({ ...added, idempotency }, added.license) as NewLicense['license'];
  }

  async findOwned(_id: string, owner: AccountId): Promise<Project | null> {
    return _id === STORED._id && owner === USER ? STORED : null;
  }

  listOwned = () => Promise.reject(new Error('Nobody lists'));
  rename = () => Promise.reject(new Error('Nobody renames'));
  deleteWithLicenses = () => Promise.reject(new Error('Nobody deletes'));
}

/** The idempotency records of earlier requests. */
class Kept extends IdempotencyRepository {
  constructor(private readonly result: StoredResult | null = null) {
    super();
  }

  async find(): Promise<StoredResult | null> {
    return this.result;
  }
}

const keys = new LicenseKeyService({ keyPrefix: 'LIC' } as Config, new DataKeys(randomBytes(96)));
const TERMS = { duration: 6, services: ['Hosting'] as const };
const REQUEST = { client: '2'.repeat(24), name: 'Shop', ...TERMS };

function serviceOf(outcomes: Outcome[], kept = new Kept()) {
  const repository = new FakeProjectsRepository(outcomes);
  const idempotent = new IdempotentWrites(kept);
  const issuer = new LicenseIssuer(keys);
  return {
    repository,
    service: new ProjectsService(repository, issuer, idempotent, new FakeClock()),
  };
}

function create(...outcomes: Outcome[]) {
  const { repository, service } = serviceOf(outcomes);
  return { repository, created: service.createWithFirstLicense(USER, REQUEST) };
}

describe('ProjectsService', () => {
  it('creates a project and its license at one time, for the same account, client and project', async () => {
    const { repository, created } = create('stored');
    const { project, license } = await created;
    expect(repository.calls).toMatchObject([{ project, license, idempotency: undefined }]);
    expect(repository.calls[0]?.event).toEqual({
      ...createdEvent(license),
      _id: expect.any(String) as string,
    });
    expect(project).toMatchObject({ name: 'Shop', owner: USER, createdAt: now, updatedAt: now });
    expect(license).toMatchObject({
      ...TERMS,
      user: USER,
      client: project.client,
      project: project._id,
      status: 'PENDING',
      replaces: null,
      createdAt: now,
    });
    expect(keys.reveal(license)).toContain(`-${project._id}-`);
  });

  it.each([1, 2])(
    'tries another key for the same project after %i collisions',
    async (collisions) => {
      const outcomes = Array<Outcome>(collisions).fill('key_collision');
      const { repository, created } = create(...outcomes, 'stored');
      const { project, license } = await created;
      const { calls } = repository;
      expect(calls).toHaveLength(collisions + 1);
      expect(calls.at(-1)).toMatchObject({ project, license, event: { license: license._id } });
      expect(new Set(calls.map((each) => each.project?._id)).size).toBe(1);
      expect(new Set(calls.map((each) => keys.reveal(each.license))).size).toBe(collisions + 1);
    },
  );

  it('fails after three keys with an unexpected error', async () => {
    const { repository, created } = create();
    await expect(created).rejects.toThrow('No unique license key in 3 attempts');
    await expect(created).rejects.not.toBeInstanceOf(DomainError);
    expect(repository.calls).toHaveLength(3);
  });

  it('rejects an unknown client without another attempt, also after a collision', async () => {
    for (const before of [[], ['key_collision']] as Outcome[][]) {
      const { repository, created } = create(...before, 'client_not_found');
      await expect(created).rejects.toMatchObject({ code: 'CLIENT_NOT_FOUND' });
      expect(repository.calls).toHaveLength(before.length + 1);
    }
  });

  describe('addLicense', () => {
    it("issues a license for the project's own account and client", async () => {
      const { repository, service } = serviceOf(['stored']);
      const license = await service.addLicense(STORED._id, USER, TERMS);
      expect(license).toMatchObject({
        ...TERMS,
        user: USER,
        client: STORED.client,
        project: STORED._id,
      });
      expect(repository.calls).toMatchObject([{ license, event: { license: license._id } }]);
    });

    it("rejects another account's project, and one that is deleted meanwhile", async () => {
      const { repository, service } = serviceOf(['project_not_found']);
      const rejected = { code: 'PROJECT_NOT_FOUND' };
      const foreign = service.addLicense(STORED._id, newAccountId(), TERMS);
      await expect(foreign).rejects.toMatchObject(rejected);
      expect(repository.calls).toEqual([]);
      await expect(service.addLicense(STORED._id, USER, TERMS)).rejects.toMatchObject(rejected);
    });
  });

  describe('with an idempotency key', () => {
    const idempotency = anIdempotencyRecord();

    it('passes the idempotency record to the store with every attempt', async () => {
      const { repository, service } = serviceOf(['key_collision', 'stored', 'stored']);
      await service.createWithFirstLicense(USER, REQUEST, idempotency);
      await service.addLicense(STORED._id, USER, TERMS, idempotency);
      expect(repository.calls.map((call) => call.idempotency)).toEqual([
        idempotency,
        idempotency,
        idempotency,
      ]);
    });

    it('returns the first result to a repeated request, and does not write', async () => {
      const result = { what: 'was returned the first time' };
      const kept = new Kept({ requestHash: idempotency.requestHash, result });
      const { repository, service } = serviceOf([], kept);
      expect(await service.createWithFirstLicense(USER, REQUEST, idempotency)).toBe(result);
      // Even though the project has been deleted.
      expect(await service.addLicense('8'.repeat(24), USER, TERMS, idempotency)).toBe(result);
      expect(repository.calls).toEqual([]);
    });
  });
});
