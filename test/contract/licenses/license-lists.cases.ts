import type { Client } from '../../../src/clients/client.js';
import { type License, LICENSE_STATUSES, statusOf } from '../../../src/licenses/license.js';
import type { LicenseQuery } from '../../../src/licenses/licenses.repository.js';
import { type AccountId, newAccountId } from '../../../src/shared/ids/account-id.js';
import type { PageRequest } from '../../../src/shared/pagination/page.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { activeUntil } from '../../builders/license.builder.js';
import { at } from '../../builders/time.js';
import { engines } from '../engines.js';
import { expectEachOnce, firstPage, idsOf, readPages } from '../pages.js';
import { useStore } from '../use-store.js';

const NOW = at(100);
const justAfter = (time: Date) => new Date(time.getTime() + 1);

const EVERYTHING: LicenseQuery = {
  status: undefined,
  client: undefined,
  project: undefined,
  product: undefined,
  expiresBefore: undefined,
  sort: 'createdAt',
  order: 'desc',
};

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

describe.each(engines)('lists of licenses on $name', ({ open }) => {
  const user = newAccountId();
  const all: License[] = [];
  const { store, stored } = useStore(open);
  let clients: Client[];

  beforeAll(async () => {
    clients = [await stored.client({ owner: user }), await stored.client({ owner: user })];
    for (const client of [...clients, await stored.client()]) {
      const first = await stored.project(client, { product: 'shop' }, KINDS[0]);
      const second = await stored.project(client, {}, KINDS[1]);
      const mine = [first.license, second.license];
      for (const [index, kind] of KINDS.slice(2).entries()) {
        mine.push(await stored.licenseOf(index % 2 ? second.project : first.project, kind));
      }
      if (client.owner === user) all.push(...mine);
    }
  });

  const listOf =
    (query: Partial<LicenseQuery>, owner: AccountId, now: Date) => (page: PageRequest) =>
      store.licenses.listOwned(owner, { ...EVERYTHING, ...query }, page, now);
  const read = (query: Partial<LicenseQuery>, limit = 100, now = NOW) =>
    readPages(listOf(query, user, now), limit);

  /** The list by its definition. */
  const expected = (query: Partial<LicenseQuery>, now = NOW) => {
    const { status, client, project, product, expiresBefore, sort, order } = {
      ...EVERYTHING,
      ...query,
    };
    const ascending = all
      .filter((license) => !status || statusOf(license, now) === status)
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

  it.each(SORTS)('show all by $sort, $order, ties broken by id', async (sorted) => {
    for (const limit of [1, 2, 7, all.length, 100]) {
      expect(await read(sorted, limit)).toStrictEqual(expected(sorted));
    }
  });

  it.each(SORTS)(
    'show what matches every combination of filters, by $sort, $order',
    async (sorted) => {
      const projects = [...new Set(all.map(({ project }) => project))];
      const statuses = [undefined, ...LICENSE_STATUSES];
      const times = [undefined, at(90), NOW, justAfter(NOW)];
      for (const status of statuses) {
        for (const client of [undefined, clients[0]?._id]) {
          for (const [project, product] of [
            [undefined, undefined],
            [projects[0], undefined],
            [projects.at(-1), undefined],
            [projects[0], 'shop'],
            [undefined, 'shop'],
            [undefined, 'Shop'],
          ]) {
            for (const expiresBefore of times) {
              const query = { ...sorted, status, client, project, product, expiresBefore };
              expect({ query, ids: idsOf(await read(query, 3)) }).toStrictEqual({
                query,
                ids: idsOf(expected(query)),
              });
            }
          }
        }
      }
    },
  );

  it.each([
    [NOW, { ACTIVE: 4, EXPIRED: 4 }],
    [new Date(NOW.getTime() - 1), { ACTIVE: 6, EXPIRED: 2 }],
    [justAfter(NOW), { ACTIVE: 2, EXPIRED: 6 }],
  ])('show a license as EXPIRED from the end of its term: %p', async (now, counts) => {
    for (const [status, count] of Object.entries(counts)) {
      const query = { status: status as 'ACTIVE' | 'EXPIRED' };
      const shown = await read(query, 100, now);
      expect(shown).toHaveLength(count);
      expect(shown).toStrictEqual(expected(query, now));
    }
  });

  it('show only activated licenses where the filter is expiresBefore', async () => {
    const shown = await read({ expiresBefore: at(1_000) });
    expect(shown).toHaveLength(12);
    expect(shown.filter(({ activatedAt }) => activatedAt === null)).toStrictEqual([]);
    // A license that ends at that time does not end before it.
    expect(await read({ expiresBefore: at(90) })).toStrictEqual([]);
  });

  it("show nothing of another user by that user's client or project", async () => {
    const stranger = newAccountId();
    const { client, project } = all[0]!;
    for (const query of [{}, { client }, { project }, { client, project }]) {
      const page = await listOf(query, stranger, NOW)(firstPage());
      expect(page).toStrictEqual({ data: [], next: null });
    }
    expect(await read({ client: newObjectId() })).toStrictEqual([]);
    expect(await read({ project: newObjectId() })).toStrictEqual([]);
  });

  it.each(SORTS)(
    'show each once, though others are created and deleted between the pages, by $sort, $order',
    async (sorted) => {
      const client = await stored.client();
      const { owner } = client;
      const add = (minutes: number) => {
        const times = { createdAt: at(minutes), expiresAt: at(minutes) };
        return stored.project(client, {}, times);
      };
      const staying: License[] = [];
      const leaving: string[] = [];
      for (let index = 0; index < 16; index++) {
        const { project, license } = await add(index % 3);
        if (index % 4 === 3) leaving.push(project._id);
        else staying.push(license);
      }
      let pages = 0;
      const shown = await readPages(listOf(sorted, owner, NOW), 3, async () => {
        // Not always: licenses after the position are shown too, and the list would never end.
        if (pages++ < 5) for (const minutes of [-1, 0, 1, 2, 3]) await add(minutes);
        const project = leaving.pop();
        if (project) await store.projects.deleteWithLicenses(project, owner, NOW);
      });
      expectEachOnce(shown, staying);
    },
  );
});
