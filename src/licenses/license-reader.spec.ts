import { activeUntil } from '../../test/builders/license.builder.js';
import { at } from '../../test/builders/time.js';
import { LicenseServices } from '../../test/license-services.js';
import type { Project } from '../projects/project.js';
import { newAccountId } from '../shared/ids/account-id.js';
import { newObjectId } from '../shared/ids/object-id.js';
import type { Position } from '../shared/pagination/page.js';
import { insert } from '../storage/changes.js';
import type { LicenseQuery } from './license-query.js';
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
  { createdAt: at(4), ...activeUntil(at(90)), ...REVOKED },
  { createdAt: at(4), ...activeUntil(at(200)), ...REVOKED },
];

const SORTS = (['createdAt', 'expiresAt'] as const).flatMap((sort) =>
  (['asc', 'desc'] as const).map((order) => ({ sort, order })),
);

const idsOf = (licenses: readonly License[]) => licenses.map(({ _id }) => _id);

/** Reads a list in pages, all of them full except the last. */
async function read(
  services: LicenseServices,
  query: Partial<LicenseQuery>,
  limit = 100,
  account = services.account,
): Promise<License[]> {
  const whole: LicenseQuery = { ...NEWEST_FIRST, ...query };
  const all: License[] = [];
  for (let after: Position | undefined; ;) {
    const { data, next } = await services.reader.list(account, whole, { limit, after }, NOW);
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
  const { reader, keys, account } = services;
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
  const expected = (query: Partial<LicenseQuery>) => {
    const whole: LicenseQuery = { ...NEWEST_FIRST, ...query };
    const { status, client, project, product, expiresBefore, sort, order } = whole;
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

  describe('list', () => {
    it.each(SORTS)('shows all by $sort, $order, in pages of any size', async (sorted) => {
      for (const limit of [1, 2, 7, all.length, 100]) {
        expect(await read(services, sorted, limit)).toStrictEqual(expected(sorted));
      }
    });

    it.each(SORTS)(
      'shows what matches every combination of filters, by $sort, $order',
      async (sorted) => {
        for (const status of [undefined, ...LICENSE_STATUSES]) {
          for (const client of [undefined, clients[0]]) {
            for (const project of [undefined, projects[0]?._id, projects[3]?._id]) {
              for (const product of [undefined, 'shop', 'Shop']) {
                for (const expiresBefore of [undefined, at(90), NOW, justAfter(NOW)]) {
                  const query = { ...sorted, status, client, project, product, expiresBefore };
                  const ids = idsOf(await read(services, query, 3));
                  expect({ query, ids }).toStrictEqual({ query, ids: idsOf(expected(query)) });
                }
              }
            }
          }
        }
      },
    );

    it('shows a license as EXPIRED from the end of its term', async () => {
      const ends = async (status: 'ACTIVE' | 'EXPIRED') =>
        new Set((await read(services, { status })).map(({ expiresAt }) => +expiresAt));
      expect(await ends('EXPIRED')).toEqual(new Set([+at(90), +NOW]));
      expect(await ends('ACTIVE')).toEqual(new Set([+justAfter(NOW), +at(200)]));
    });

    it('shows only activated licenses where the filter is expiresBefore', async () => {
      const shown = await read(services, { expiresBefore: at(1_000) });
      expect(shown.map(({ activatedAt }) => activatedAt)).not.toContain(null);
      // A license that ends at that time does not end before it.
      expect(await read(services, { expiresBefore: at(90) })).toEqual([]);
    });

    it("shows nothing of another account by that account's client or project", async () => {
      const { client, project } = all[0]!;
      for (const query of [{}, { client }, { project }, { client, project }]) {
        expect(await read(services, query, 100, newAccountId())).toEqual([]);
      }
      expect(await read(services, { project: newObjectId() })).toEqual([]);
    });
  });

  describe('findByKey', () => {
    it('finds a license, whatever the case of its key, by two look-ups of one tick', async () => {
      const find = jest.spyOn(services.store, 'find');
      const found = reader.findByKey(` ${keys.reveal(all[0]!).toLowerCase()}\n`);
      expect(find).toHaveBeenCalledTimes(2);
      expect(await found).toStrictEqual(all[0]);
      find.mockRestore();
    });

    it.each(['', 'no key', 'LIC-665F1C2AB7E4A90012345678-7Q2M-X0AB-93KD'])(
      'finds nothing by %j',
      async (key) => {
        expect(await reader.findByKey(key)).toBeNull();
      },
    );
  });

  describe('findOwned', () => {
    it('finds a license of the account, and no license of another one', async () => {
      const { _id } = all[0]!;
      expect(await reader.findOwned(_id, account)).toStrictEqual(all[0]);
      expect(await reader.findOwned(_id, newAccountId())).toBeNull();
      expect(await reader.findOwned(newObjectId(), account)).toBeNull();
    });
  });
});

describe('the licenses of a deleted project', () => {
  const services = new LicenseServices();
  const { reader, keys, account } = services;
  let gone: License[];
  let staying: License[];

  beforeAll(async () => {
    const [deleted, kept] = [await services.project(), await services.project()];
    gone = [];
    staying = [];
    for (let minute = 0; minute < 12; minute++) {
      const createdAt = at(minute);
      const [list, project] = minute % 4 === 3 ? [staying, kept] : [gone, deleted];
      list.push(await services.license(project, { createdAt }));
    }
    await services.delete(deleted);
  });

  it('are unknown by their id and their key', async () => {
    for (const license of gone) {
      expect(await reader.findOwned(license._id, account)).toBeNull();
      expect(await reader.findByKey(keys.reveal(license))).toBeNull();
    }
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

describe('the product of a license', () => {
  it("is its project's, although its copy is of before", async () => {
    const services = new LicenseServices();
    const project = await services.project();
    const license = await services.license(project);
    await services.setProduct(project, 'shop');
    const shown = { ...license, product: 'shop' };
    const { reader, account, keys } = services;
    expect(await reader.findByKey(keys.reveal(license))).toStrictEqual(shown);
    expect(await reader.findOwned(license._id, account)).toStrictEqual(shown);
    expect(await read(services, {})).toStrictEqual([shown]);
  });
});
