import { aClient, activeUntil, aProject, at } from '../../test/builders.js';
import { readPages } from '../../test/read-pages.js';
import { useServices } from '../../test/services.js';
import { type Project, PROJECTS } from '../projects/project.js';
import { newAccountId, newObjectId } from '../shared/ids.js';
import { insert, remove } from '../storage/changes.js';
import { chooseIndex, omitUndefined, readFilter } from '../storage/filter.js';
import { LicenseKeyService } from './license-key.service.js';
import type { LicenseFilterQuery } from './dto/license-list.query.js';
import { toFilter } from './license-query.js';
import { LicenseReader } from './license-reader.js';
import { type License, LICENSE_STATUSES, LICENSES, statusOf } from './license.js';

const NOW = at(100);
const justAfter = (time: Date) => new Date(time.getTime() + 1);
const NEWEST_FIRST = { sort: 'createdAt', order: 'desc' } as const;
const REVOKED = { status: 'REVOKED', revokedAt: at(50), revokedReason: null } as const;

const PLAN = newObjectId();

/** Licenses of every kind, many with the same times. */
const KINDS: Partial<License>[] = [
  { createdAt: at(1), expiresAt: at(90) },
  { createdAt: at(1), expiresAt: at(200), metadata: [['seller', 'b']] },
  { createdAt: at(2), endIsFixed: true, expiresAt: NOW },
  { createdAt: at(1), endIsFixed: true, expiresAt: justAfter(NOW) },
  { createdAt: at(3), ...activeUntil(at(90)) },
  { createdAt: at(3), ...activeUntil(NOW), plan: PLAN },
  { createdAt: at(3), ...activeUntil(justAfter(NOW)) },
  { createdAt: at(2), ...activeUntil(at(200)), plan: PLAN, metadata: [['seller', 'a:"b"']] },
  { createdAt: at(2), expiresAt: at(90), ...REVOKED },
  { createdAt: at(4), ...activeUntil(at(200)), ...REVOKED },
];

/** Every combination of filters and sort orders, with this client and this project. */
function* queries(clientId: string, projectId: string): Generator<LicenseFilterQuery> {
  for (const order of ['asc', 'desc'] as const)
    for (const sort of ['createdAt', 'expiresAt'] as const)
      for (const status of [undefined, ...LICENSE_STATUSES.map((one) => [one])])
        for (const parents of [{}, { clientId }, { projectId }, { clientId, projectId }])
          for (const product of [undefined, 'shop'])
            for (const expiresBefore of [undefined, NOW, justAfter(NOW)])
              yield {
                order,
                sort,
                ...parents,
                ...omitUndefined({ status, product, expiresBefore }),
              };
  for (const status of [
    ['PENDING', 'EXPIRED'],
    ['ACTIVE', 'EXPIRED', 'REVOKED'],
  ] as const)
    for (const created of [
      {},
      { createdAfter: at(2) },
      { createdAfter: at(2), createdBefore: at(3) },
    ])
      for (const more of [{}, { plan: PLAN }, { metadata: 'seller:a:"b"' }])
        yield { ...NEWEST_FIRST, status: [...status], ...created, ...more };
}

describe('LicenseReader', () => {
  const { store, the, put, add, change, addLicense } = useServices();
  const client = aClient();
  const account = client.owner;

  const addProject = (fields: Partial<Project> = {}) => add(PROJECTS, aProject(client, fields));
  /** Reads a list in pages, all of them full except the last. */
  const read = async (query: Partial<LicenseFilterQuery> = {}, limit = 100): Promise<License[]> => {
    const whole: LicenseFilterQuery = { ...NEWEST_FIRST, ...query };
    const pages = await readPages(limit, (page) =>
      the(LicenseReader).list(account, whole, page, NOW),
    );
    for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit);
    return pages.flat();
  };

  /** The expected list, computed from its definition. */
  const expected = (all: readonly License[], query: LicenseFilterQuery) => {
    const { status, clientId, projectId, product, expiresBefore, sort, order } = query;
    const { plan, metadata, createdAfter, createdBefore } = query;
    const ascending = all
      .filter(
        (license) =>
          (!status || status.includes(statusOf(license, NOW))) &&
          (!clientId || license.client === clientId) &&
          (!projectId || license.project === projectId) &&
          (!product || license.product === product) &&
          (!plan || license.plan === plan) &&
          (!metadata || license.metadata.some((pair) => pair.join(':') === metadata)) &&
          (!createdAfter || license.createdAt >= createdAfter) &&
          (!createdBefore || license.createdAt < createdBefore) &&
          (!expiresBefore ||
            ((license.activatedAt !== null || license.endIsFixed) &&
              license.expiresAt < expiresBefore)),
      )
      .sort((a, b) => +a[sort] - +b[sort] || (a._id < b._id ? -1 : 1));
    return order === 'asc' ? ascending : ascending.reverse();
  };
  const idsOf = (licenses: readonly License[]) => licenses.map(({ _id }) => _id);

  it('lists the matches of every combination of filters, in either order, in full pages of any size, without deleted projects', async () => {
    const labelled = await addProject({ product: 'shop' });
    const projects = [
      ...[labelled, await addProject({ product: 'shop' })],
      ...[await addProject({ client: newObjectId() }), await addProject({ client: newObjectId() })],
    ];
    const all: License[] = [];
    for (const project of projects) {
      for (const kind of KINDS) all.push(await addLicense(project, kind));
    }
    await addLicense(await addProject({ owner: newAccountId() }), KINDS[0]);
    const deleted = await addProject({ product: 'shop' });
    for (const kind of [...KINDS, ...KINDS]) await addLicense(deleted, kind);
    await put(remove(PROJECTS, deleted));
    expect(await read({ projectId: deleted._id })).toEqual([]);
    let limit = 0;
    for (const query of queries(client._id, labelled._id)) {
      limit = (limit % 7) + 1;
      const ids = idsOf(await read(query, limit));
      expect({ query, ids }).toStrictEqual({ query, ids: idsOf(expected(all, query)) });
    }
  });

  it('reads a list with the narrowest index', () => {
    const indexFor = (query: Partial<LicenseFilterQuery>) => {
      const whole = { ...NEWEST_FIRST, ...query };
      const filter = readFilter(toFilter(newAccountId(), whole, NOW));
      return chooseIndex(LICENSES, filter, whole.sort)?.join();
    };
    const [id, sort, product] = [newObjectId(), 'expiresAt', 'shop'] as const;
    expect(indexFor({ sort })).toBe('user,expiresAt,_id');
    expect(indexFor({ status: ['EXPIRED'] })).toBe('user,createdAt,_id');
    expect(indexFor({ product, plan: id })).toBe('user,plan,createdAt,_id');
    expect(indexFor({ createdAfter: NOW, status: ['ACTIVE', 'PENDING'] })).toBe(
      'user,createdAt,_id',
    );
    expect(indexFor({ product, status: ['ACTIVE'] })).toBe('user,product,createdAt,_id');
    expect(indexFor({ clientId: id, product })).toBe('client,createdAt,_id');
    expect(indexFor({ projectId: id, status: ['ACTIVE'], sort })).toBe(
      'project,status,expiresAt,_id',
    );
  });

  it('finds a license by its key in any case, with two lookups in one tick', async () => {
    const license = await addLicense(await addProject());
    const find = jest.spyOn(store, 'find');
    const key = the(LicenseKeyService).reveal(license);
    const found = the(LicenseReader).findByKey(` ${key.toLowerCase()}\n`);
    expect(find).toHaveBeenCalledTimes(2);
    expect(await found).toStrictEqual(license);
  });

  it('skips the licenses of a deleted project in a few reads, however many there are', async () => {
    const [deleted, kept] = [await addProject(), await addProject()];
    const first = await addLicense(kept, { createdAt: at(0) });
    const template = await addLicense(deleted, { createdAt: at(1) });
    const copies = Array.from({ length: 200 }, () => newObjectId()).map((_id) =>
      insert(LICENSES, { ...template, _id, keyHash: _id, seatsOf: _id }),
    );
    await put(...copies, remove(PROJECTS, deleted));
    const list = jest.spyOn(store, 'list');
    expect(await read({}, 20)).toStrictEqual([first]);
    expect(list).toHaveBeenCalledTimes(2);
  });

  it("shows the product of the license's project, even if its own copy is outdated", async () => {
    const project = await addProject();
    const license = await addLicense(project);
    await change(PROJECTS, project, { product: 'shop' });
    const shown = { ...license, product: 'shop' };
    const key = the(LicenseKeyService).reveal(license);
    expect(await the(LicenseReader).findByKey(key)).toStrictEqual(shown);
    expect(await the(LicenseReader).findOwned(license._id, account)).toStrictEqual(shown);
    expect(await read()).toStrictEqual([shown]);
  });
});
