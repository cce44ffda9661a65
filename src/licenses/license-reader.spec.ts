import { activeUntil } from '../../test/builders/license.builder.js';
import { at } from '../../test/builders/time.js';
import { LicenseServices } from '../../test/license-services.js';
import type { Project } from '../projects/project.js';
import { newAccountId } from '../shared/ids/account-id.js';
import { newObjectId } from '../shared/ids/object-id.js';
import type { Position } from '../shared/pagination/page.js';
import { insert } from '../storage/changes.js';
import { chooseIndex } from '../storage/choose-index.js';
import { readFilter } from '../storage/filter.js';
import { type LicenseQuery, toFilter } from './license-query.js';
import { type License, LICENSE_STATUSES, LICENSES, statusOf } from './license.js';

const NOW = at(100);
const justAfter = (time: Date) => new Date(time.getTime() + 1);
const NEWEST_FIRST = { sort: 'createdAt', order: 'desc' } as const;
const REVOKED = { status: 'REVOKED', revokedAt: at(50), revokedReason: null } as const;

/** Licenses of every kind, many with equal times. */
const KINDS: Partial<License>[] = [
  { createdAt: at(1), expiresAt: at(90) },
  { createdAt: at(1), expiresAt: at(200) },
  { createdAt: at(3), ...activeUntil(at(90)) },
  { createdAt: at(3), ...activeUntil(NOW) },
  { createdAt: at(3), ...activeUntil(justAfter(NOW)) },
  { createdAt: at(2), ...activeUntil(at(200)) },
  { createdAt: at(2), expiresAt: at(90), ...REVOKED },
  { createdAt: at(4), ...activeUntil(at(200)), ...REVOKED },
];

/** Every combination of filters and sorts, with these clients, projects and products. */
function* queries(clients: string[], projects: string[], products: string[]) {
  for (const sort of ['createdAt', 'expiresAt'] as const)
    for (const status of [undefined, ...LICENSE_STATUSES])
      for (const client of [undefined, ...clients])
        for (const project of [undefined, ...projects])
          for (const product of [undefined, ...products])
            for (const expiresBefore of [undefined, NOW, justAfter(NOW)])
              yield { sort, status, client, project, product, expiresBefore };
}

/** Reads a list in pages, all of them full except the last. */
async function read(
  services: LicenseServices,
  query: Partial<LicenseQuery>,
  limit = 100,
): Promise<License[]> {
  const whole: LicenseQuery = { ...NEWEST_FIRST, ...query };
  const all: License[] = [];
  for (let after: Position | undefined; ;) {
    const page = { limit, after };
    const { data, next } = await services.reader.list(services.account, whole, page, NOW);
    all.push(...data);
    if (!next) return all;
    expect(data).toHaveLength(limit);
    // A list that never ends must fail, not hang.
    expect(all.length).toBeLessThan(1_000);
    after = next;
  }
}

describe('LicenseReader', () => {
  const services = new LicenseServices();
  const clients = [services.client._id, newObjectId()];
  const projects: Project[] = [];
  const all: License[] = [];

  beforeAll(async () => {
    for (const client of clients) {
      const product = client === clients[0] ? 'shop' : null;
      for (const _id of [newObjectId(), newObjectId()]) {
        const project = await services.project({ _id, client, product });
        projects.push(project);
        for (const kind of KINDS) all.push(await services.license(project, kind));
      }
    }
    const ofStranger = await services.project({ owner: newAccountId() });
    await services.license(ofStranger, KINDS[0]);
  });

  /** The list by its definition. */
  const expected = ({
    status,
    client,
    project,
    product,
    expiresBefore,
    ...query
  }: LicenseQuery) => {
    const { sort, order } = query;
    const ascending = all
      .filter((license) => !status || statusOf(license, NOW) === status)
      .filter((license) => !client || license.client === client)
      .filter((license) => !project || license.project === project)
      .filter((license) => !product || license.product === product)
      .filter(
        ({ activatedAt, expiresAt }) =>
          !expiresBefore || (activatedAt !== null && expiresAt < expiresBefore),
      )
      .sort((a, b) => +a[sort] - +b[sort] || (a._id < b._id ? -1 : 1));
    return order === 'asc' ? ascending : ascending.reverse();
  };
  const idsOf = (licenses: readonly License[]) => licenses.map(({ _id }) => _id);

  it.each(['asc', 'desc'] as const)(
    'lists what matches every combination of filters, %s by either sort, in pages of any size',
    async (order) => {
      let limit = 0;
      for (const filters of queries([clients[0]!], [projects[0]!._id], ['shop'])) {
        limit = (limit % 7) + 1;
        const query = { ...filters, order };
        const ids = idsOf(await read(services, query, limit));
        expect({ query, ids }).toStrictEqual({ query, ids: idsOf(expected(query)) });
      }
    },
  );

  it('has a declared index for every list, and reads it by the narrowest', () => {
    const indexFor = (query: Partial<LicenseQuery>) => {
      const whole = { ...NEWEST_FIRST, ...query };
      const filter = readFilter(toFilter(newAccountId(), whole, NOW));
      return chooseIndex(LICENSES, filter, whole.sort)?.join();
    };
    const [id, sort, product] = [newObjectId(), 'expiresAt', 'shop'] as const;
    for (const query of queries([id], [id], ['shop'])) {
      expect(indexFor(query)).toContain(query.sort);
    }
    expect(indexFor({ sort })).toBe('user,expiresAt,_id');
    expect(indexFor({ status: 'EXPIRED' })).toBe('user,status,createdAt,_id');
    expect(indexFor({ product, status: 'ACTIVE' })).toBe('user,product,createdAt,_id');
    expect(indexFor({ client: id, product })).toBe('client,createdAt,_id');
    expect(indexFor({ project: id, status: 'ACTIVE', sort })).toBe('project,status,expiresAt,_id');
  });

  it('finds a license by its key, whatever the case, by two look-ups of one tick', async () => {
    const find = jest.spyOn(services.store, 'find');
    const key = services.keys.reveal(all[0]!);
    const found = services.reader.findByKey(` ${key.toLowerCase()}\n`);
    expect(find).toHaveBeenCalledTimes(2);
    expect(await found).toStrictEqual(all[0]);
    find.mockRestore();
  });
});

describe('the licenses of a deleted project', () => {
  const services = new LicenseServices();
  const gone: License[] = [];
  const staying: License[] = [];

  beforeAll(async () => {
    const [deleted, kept] = [await services.project(), await services.project()];
    for (let minute = 0; minute < 12; minute++) {
      const [list, project] = minute % 4 === 3 ? [staying, kept] : [gone, deleted];
      list.push(await services.license(project, { createdAt: at(minute) }));
    }
    await services.delete(deleted);
  });

  it.each([1, 2, 3, 4])('are passed over in pages of %i, which are full', async (limit) => {
    const { project } = gone[0]!;
    expect(await read(services, {}, limit)).toStrictEqual(staying.toReversed());
    expect(await read(services, { order: 'asc' }, limit)).toStrictEqual(staying);
    expect(await read(services, { project }, limit)).toEqual([]);
  });

  it('are passed over in a few reads, however many there are', async () => {
    const services = new LicenseServices();
    const [deleted, kept] = [await services.project(), await services.project()];
    const first = await services.license(kept, { createdAt: at(0) });
    const template = await services.license(deleted, { createdAt: at(1) });
    const copies = Array.from({ length: 200 }, () => newObjectId()).map((_id) =>
      insert(LICENSES, { ...template, _id, keyHash: _id }),
    );
    await services.put(...copies);
    await services.delete(deleted);
    const list = jest.spyOn(services.store, 'list');
    expect(await read(services, {}, 20)).toStrictEqual([first]);
    expect(list).toHaveBeenCalledTimes(2);
  });
});

it("the product of a license is its project's, although its copy is of before", async () => {
  const services = new LicenseServices();
  const project = await services.project();
  const license = await services.license(project);
  await services.setProduct(project, 'shop');
  const shown = { ...license, product: 'shop' };
  const { reader, account, keys } = services;
  expect(await reader.findByKey(keys.reveal(license))).toStrictEqual(shown);
  expect(await reader.findOwned(license._id, account)).toStrictEqual({
    ...{ ...shown, clientName: '', projectName: 'Web shop' },
  });
  expect(await read(services, {})).toStrictEqual([shown]);
});
