import type { Client } from '../../../src/clients/client.js';
import type { Project } from '../../../src/projects/project.js';
import { type AccountId, newAccountId } from '../../../src/shared/ids/account-id.js';
import type { PageRequest } from '../../../src/shared/pagination/page.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { at } from '../../builders/time.js';
import { engines } from '../engines.js';
import { expectEachOnce, firstPage, newestFirst, readPages } from '../pages.js';
import { useStore } from '../use-store.js';

describe.each(engines)('lists of projects on $name', ({ open }) => {
  const { store, stored } = useStore(open);
  let clients: [Client, Client];
  let owner: AccountId;
  beforeEach(async () => {
    owner = newAccountId();
    clients = [await stored.client({ owner }), await stored.client({ owner })];
  });

  const listOf = (user: AccountId, client?: string, product?: string) => (page: PageRequest) =>
    store.projects.listOwned(user, { client, product }, page);
  const addTo = async (client: Client, minutes: number, product: string | null = null) =>
    (await stored.project(client, { createdAt: at(minutes), product })).project;
  const remove = ({ _id }: Project) => store.projects.deleteWithLicenses(_id, owner, at(9));

  it('show the newest first, of all clients or of one, ties broken by id', async () => {
    const all: Project[] = [];
    for (const [index, minutes] of [5, 1, 5, 3, 1, 5, 3].entries()) {
      all.push(await addTo(clients[index % 2 ? 1 : 0], minutes));
    }
    for (const limit of [10, 7, 3, 1]) {
      expect(await readPages(listOf(owner), limit)).toStrictEqual(newestFirst(all));
      for (const { _id } of clients) {
        const expected = newestFirst(all.filter(({ client }) => client === _id));
        expect(await readPages(listOf(owner, _id), limit)).toStrictEqual(expected);
      }
    }
  });

  it('show those of one product, of all clients or of one', async () => {
    const shops: Project[] = [];
    for (const [index, product] of ['shop', null, 'shop', 'Shop', 'shop.eu', 'shop'].entries()) {
      const project = await addTo(clients[index < 3 ? 0 : 1], index % 2, product);
      if (product === 'shop') shops.push(project);
    }
    for (const limit of [10, 2, 1]) {
      const all = await readPages(listOf(owner, undefined, 'shop'), limit);
      expect(all).toStrictEqual(newestFirst(shops));
      const ofOne = await readPages(listOf(owner, clients[0]._id, 'shop'), limit);
      expect(ofOne).toStrictEqual(newestFirst(shops.slice(0, 2)));
    }
    expect(await readPages(listOf(newAccountId(), undefined, 'shop'), 10)).toStrictEqual([]);
  });

  it('show nothing of another user, and nothing below an unknown client', async () => {
    await addTo(clients[0], 1);
    const empty = { data: [], next: null };
    const stranger = newAccountId();
    expect(await listOf(stranger)(firstPage())).toStrictEqual(empty);
    expect(await listOf(stranger, clients[0]._id)(firstPage())).toStrictEqual(empty);
    expect(await listOf(owner, newObjectId())(firstPage())).toStrictEqual(empty);
  });

  it.each([false, true])(
    'show each once, though others are created and deleted between the pages (of one client: %j)',
    async (ofOne) => {
      const staying: Project[] = [];
      const leaving: Project[] = [];
      for (let index = 0; index < 12; index++) {
        const project = await addTo(clients[0], index % 2);
        (index % 4 === 3 ? leaving : staying).push(project);
      }
      const list = listOf(owner, ofOne ? clients[0]._id : undefined);
      const shown = await readPages(list, 3, async () => {
        for (const minutes of [0, 1, 2]) await addTo(clients[0], minutes);
        const project = leaving.pop();
        if (project) await remove(project);
      });
      expectEachOnce(shown, staying);
    },
  );
});
