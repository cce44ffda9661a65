import type { Client } from '../../../src/clients/client.js';
import { type AccountId, newAccountId } from '../../../src/shared/ids/account-id.js';
import type { PageRequest } from '../../../src/shared/pagination/page.js';
import { searchForm } from '../../../src/shared/search/search-form.js';
import { at } from '../../builders/time.js';
import { engines } from '../engines.js';
import { expectEachOnce, firstPage, idsOf, newestFirst, readPages } from '../pages.js';
import { useStore } from '../use-store.js';

describe.each(engines)('lists of clients on $name', ({ open }) => {
  const { store, stored } = useStore(open);

  const listOf = (owner: AccountId, search?: string) => (page: PageRequest) =>
    store.clients.listOwned(owner, search, page);

  it('show nothing of another user', async () => {
    await stored.client();
    const empty = { data: [], next: null };
    expect(await listOf(newAccountId())(firstPage())).toStrictEqual(empty);
    expect(await listOf(newAccountId(), 's')(firstPage())).toStrictEqual(empty);
  });

  it.each([undefined, 's'])(
    'show the newest first, ties broken by id (search: %j)',
    async (search) => {
      const owner = newAccountId();
      const all: Client[] = [];
      for (const minutes of [5, 1, 5, 3, 1, 5]) {
        all.push(await stored.client({ owner, createdAt: at(minutes) }));
      }
      for (const limit of [10, 6, 4, 1]) {
        expect(await readPages(listOf(owner, search), limit)).toStrictEqual(newestFirst(all));
      }
    },
  );

  it('have no next page after a full last page', async () => {
    const owner = newAccountId();
    await stored.client({ owner });
    await stored.client({ owner });
    const page = await listOf(owner)(firstPage(2));
    expect(page.data).toHaveLength(2);
    expect(page.next).toBeNull();
  });

  it.each([undefined, 'acme'])(
    'show each once, though others are created and deleted between the pages (search: %j)',
    async (search) => {
      const owner = newAccountId();
      const add = (minutes: number) =>
        stored.client({ owner, name: 'Acme', createdAt: at(minutes) });
      const staying: Client[] = [];
      const leaving: Client[] = [];
      for (let index = 0; index < 24; index++) {
        (index % 4 === 3 ? leaving : staying).push(await add(index % 2));
      }
      const shown = await readPages(listOf(owner, search), 4, async () => {
        for (const minutes of [0, 1, 2]) await add(minutes);
        const client = leaving.pop();
        if (client) await store.clients.deleteWithoutProjects(client._id, owner);
      });
      expectEachOnce(shown, staying);
    },
  );

  it('show once what is found by name, by address or by both, newest first', async () => {
    const owner = newAccountId();
    const found: Client[] = [];
    const FOUND_BY = ['name', 'name', 'address', 'nothing', 'both', 'name', 'address', 'both'];
    for (const [index, by] of [...FOUND_BY, ...FOUND_BY].entries()) {
      const client = await stored.client({
        ...{ owner, createdAt: at(index % 5) },
        name: by === 'name' || by === 'both' ? 'Initech' : 'Globex',
        email: `${by === 'address' || by === 'both' ? 'initech' : 'office'}-${index}@list.test`,
      });
      if (by !== 'nothing') found.push(client);
    }
    for (const limit of [20, 14, 13, 4, 1]) {
      expect(await readPages(listOf(owner, 'initech'), limit)).toStrictEqual(newestFirst(found));
    }
  });

  it('continue after the position of a deleted client', async () => {
    const owner = newAccountId();
    const clients: Client[] = [];
    for (const minutes of [3, 2, 1])
      clients.push(await stored.client({ owner, createdAt: at(minutes) }));
    const shown = await readPages(listOf(owner), 1, () =>
      store.clients.deleteWithoutProjects(clients[0]!._id, owner),
    );
    expect(shown).toStrictEqual(clients);
  });

  it('search the current name and address of a client', async () => {
    const client = await stored.client({ name: 'Before' });
    const found = async (search: string) =>
      idsOf((await listOf(client.owner, search)(firstPage())).data);
    expect(await found('bef')).toStrictEqual([client._id]);

    await store.clients.update(client._id, client.owner, { name: 'After' }, at(1));
    expect(await found('bef')).toStrictEqual([]);
    expect(await found('aft')).toStrictEqual([client._id]);

    await store.clients.update(client._id, client.owner, { email: 'new@example.com' }, at(2));
    expect(await found(searchForm(client.email))).toStrictEqual([]);
    expect(await found('new@')).toStrictEqual([client._id]);
    expect(await found('aft')).toStrictEqual([client._id]);

    await store.clients.update(client._id, client.owner, { email: 'νίκος@example.com' }, at(3));
    expect(await found('new@')).toStrictEqual([]);
    expect(await found(searchForm('νίκος'))).toStrictEqual([client._id]);
    expect(await found('aft')).toStrictEqual([client._id]);
  });
});
