import { createClient, createProject, registerDeveloper } from '../developer.js';
import { expectError, expectInvalid, expectResponse } from '../expect-response.js';
import { idsOf, readPages } from '../pages.js';
import { useApp, useDeveloper } from '../use-app.js';

describe('Reading and deleting clients', () => {
  const app = useApp();
  const ada = useDeveloper(app);

  it('GET /clients/:id returns the bare client to its owner, and rejects what is no id', async () => {
    const client = await createClient(app, ada);
    const { status, body } = await app.get(`/clients/${client._id}`, ada);

    expectResponse({ status, body }, 200, client);
    for (const id of ['nonsense', '%7B%22$ne%22:1%7D', 'z'.repeat(24)]) {
      expectInvalid(await app.get(`/clients/${id}`, ada), 'id');
    }
  });

  it('GET /clients shows each client of the user once, newest first, while others come, change and go between the pages', async () => {
    const carol = await registerDeveloper(app);
    const clients: { _id: string }[] = [];
    for (let i = 0; i < 9; i++) {
      // Three of a time, so that the id has to break the tie.
      app.clock.advance({ seconds: i % 3 === 0 ? 1 : 0 });
      clients.push(await createClient(app, carol));
    }
    await createClient(app, ada);
    const [oldest, , , renamed] = idsOf(clients);
    const comeAndGo = async () => {
      app.clock.advance({ seconds: 1 });
      await createClient(app, carol);
      await app.patch(`/clients/${renamed}`, { name: 'Renamed' }, carol);
      await app.delete(`/clients/${oldest}`, carol);
    };
    const shown = idsOf(await readPages(app, '/clients?limit=2', carol, comeAndGo));

    expect(shown).toEqual(idsOf(clients.slice(1)).reverse());
  });

  it('GET /clients rejects wrong limits, and the cursor of another list', async () => {
    const { _id } = await createClient(app, ada);
    for (let i = 0; i < 2; i++) await createProject(app, ada, _id);
    const { nextCursor } = (await app.get('/projects?limit=1', ada)).body;

    for (const query of ['limit=0', 'limit=101', 'limit=1&limit=2']) {
      expectInvalid(await app.get(`/clients?${query}`, ada), 'limit');
    }
    for (const query of ['cursor=x', `cursor=${nextCursor}`]) {
      expectInvalid(await app.get(`/clients?${query}`, ada), 'cursor');
    }
  });

  it('GET /clients?search= finds by the beginning of name or address, in any case and width, every character literal', async () => {
    const [eve, bob] = [await registerDeveloper(app), await registerDeveloper(app)];
    const stored = [
      ['Globex', 'sales@globex.example'],
      ['ＧＬＯＢＥ wide', 'wide@letters.example'],
      ['Österreich AG', 'globus@oesterreich.example'],
      ['100%_*.(', 'marks@letters.example'],
      ['Initech', 'initech@initech.example'],
    ];
    for (const [name, email] of stored)
      await createClient(app, eve, { name: name!, email: email! });
    await createClient(app, bob, { name: 'Globex of Bob' });
    const find = async (search: string) => {
      const query = `/clients?limit=2&search=${encodeURIComponent(search)}`;
      return (await readPages<{ _id: string; name: string }>(app, query, eve))
        .map(({ name }) => name)
        .sort();
    };

    const all = ['Globex', 'Österreich AG', 'ＧＬＯＢＥ wide'];
    for (const search of ['glob', 'ｇｌｏｂ', ' Glob ']) expect(await find(search)).toEqual(all);
    expect(await find('o\u0308STER')).toEqual(['Österreich AG']);
    expect(await find('100%_*.(')).toEqual(['100%_*.(']);
    for (const search of ['lobex', '%', '_', '.*', '1.0', "'"])
      expect(await find(search)).toEqual([]);
    await app.patch(
      `/clients/${(await createClient(app, eve, { name: 'Before' }))._id}`,
      { name: 'After' },
      eve,
    );
    expect([await find('before'), await find('after')]).toEqual([[], ['After']]);
  });

  it.each([
    'search=',
    'search=%20',
    `search=${'x'.repeat(201)}`,
    'search=a&search=b',
    'search=%00',
  ])('GET /clients rejects ?%s', async (query) =>
    expectInvalid(await app.get(`/clients?${query}`, ada), 'search'),
  );

  it('DELETE /clients/:id deletes a client without projects, and keeps one that has any', async () => {
    const [empty, used] = [await createClient(app, ada), await createClient(app, ada)];
    await createProject(app, ada, used._id);
    const deleted = await app.delete(`/clients/${empty._id}`, ada);
    const kept = await app.delete(`/clients/${used._id}`, ada);

    expectResponse(deleted, 204, undefined);
    expect((await app.get(`/clients/${empty._id}`, ada)).status).toBe(404);
    expect((await app.delete(`/clients/${empty._id}`, ada)).status).toBe(404);
    expectError(kept, [409, 'CLIENT_HAS_PROJECTS'], { message: 'Client has projects' });
    expect((await app.get(`/clients/${used._id}`, ada)).status).toBe(200);
  });
});
