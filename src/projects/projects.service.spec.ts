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
type Told = Rejection | 'stored';

interface Asked extends NewLicense {
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

/** A store that answers as told: two keys of 62 random bits never really collide. */
class TellingRepository extends ProjectsRepository {
  readonly asked: Asked[] = [];

  constructor(private readonly outcomes: Told[]) {
    super();
  }

  private response<T>(asked: Asked, stored: T): T | Rejection {
    this.asked.push(asked);
    const told = this.outcomes[this.asked.length - 1] ?? 'key_collision';
    return told === 'stored' ? stored : told;
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

/** The claims that were kept before. */
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

function serviceOf(outcomes: Told[], kept = new Kept()) {
  const repository = new TellingRepository(outcomes);
  const idempotent = new IdempotentWrites(kept);
  const issuer = new LicenseIssuer(keys);
  return {
    repository,
    service: new ProjectsService(repository, issuer, idempotent, new FakeClock()),
  };
}

function create(...outcomes: Told[]) {
  const { repository, service } = serviceOf(outcomes);
  return { repository, created: service.createWithFirstLicense(USER, REQUEST) };
}

describe('ProjectsService', () => {
  it('creates a project and its license of one moment, for the same user, client and project', async () => {
    const { repository, created } = create('stored');
    const { project, license } = await created;
    expect(repository.asked).toMatchObject([{ project, license, idempotency: undefined }]);
    expect(repository.asked[0]?.event).toEqual({
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

  it.each([1, 2])('gives the same project another key after %i collisions', async (collisions) => {
    const outcomes = Array<Told>(collisions).fill('key_collision');
    const { repository, created } = create(...outcomes, 'stored');
    const { project, license } = await created;
    const { asked } = repository;
    expect(asked).toHaveLength(collisions + 1);
    expect(asked.at(-1)).toMatchObject({ project, license, event: { license: license._id } });
    expect(new Set(asked.map((each) => each.project?._id)).size).toBe(1);
    expect(new Set(asked.map((each) => keys.reveal(each.license))).size).toBe(collisions + 1);
  });

  it('gives up after three keys, as a failure that nobody expected', async () => {
    const { repository, created } = create();
    await expect(created).rejects.toThrow('No unique license key in 3 attempts');
    await expect(created).rejects.not.toBeInstanceOf(DomainError);
    expect(repository.asked).toHaveLength(3);
  });

  it('rejects a client that is not there at once, before a collision and after', async () => {
    for (const before of [[], ['key_collision']] as Told[][]) {
      const { repository, created } = create(...before, 'client_not_found');
      await expect(created).rejects.toMatchObject({ code: 'CLIENT_NOT_FOUND' });
      expect(repository.asked).toHaveLength(before.length + 1);
    }
  });

  describe('addLicense', () => {
    it("issues a license for the project's own user and client", async () => {
      const { repository, service } = serviceOf(['stored']);
      const license = await service.addLicense(STORED._id, USER, TERMS);
      expect(license).toMatchObject({
        ...TERMS,
        user: USER,
        client: STORED.client,
        project: STORED._id,
      });
      expect(repository.asked).toMatchObject([{ license, event: { license: license._id } }]);
    });

    it("rejects another user's project, and one that is deleted meanwhile", async () => {
      const { repository, service } = serviceOf(['project_not_found']);
      const rejected = { code: 'PROJECT_NOT_FOUND' };
      const foreign = service.addLicense(STORED._id, newAccountId(), TERMS);
      await expect(foreign).rejects.toMatchObject(rejected);
      expect(repository.asked).toEqual([]);
      await expect(service.addLicense(STORED._id, USER, TERMS)).rejects.toMatchObject(rejected);
    });
  });

  describe('under a claim', () => {
    const idempotency = anIdempotencyRecord();

    it('hands the claim to the store with every attempt', async () => {
      const { repository, service } = serviceOf(['key_collision', 'stored', 'stored']);
      await service.createWithFirstLicense(USER, REQUEST, idempotency);
      await service.addLicense(STORED._id, USER, TERMS, idempotency);
      expect(repository.asked.map((asked) => asked.idempotency)).toEqual([
        idempotency,
        idempotency,
        idempotency,
      ]);
    });

    it('gives the first result to whoever repeats it, and asks the store for nothing', async () => {
      const result = { what: 'was returned the first time' };
      const kept = new Kept({ requestHash: idempotency.requestHash, result });
      const { repository, service } = serviceOf([], kept);
      expect(await service.createWithFirstLicense(USER, REQUEST, idempotency)).toBe(result);
      // Though the project is gone by now.
      expect(await service.addLicense('8'.repeat(24), USER, TERMS, idempotency)).toBe(result);
      expect(repository.asked).toEqual([]);
    });
  });
});
