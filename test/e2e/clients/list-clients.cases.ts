import { ENGINES } from '../../engines.js';
import { createClient, createProject, registerDeveloper } from '../developer.js';
import { idsOf, readPages } from '../pages.js';
import { useApp, useDeveloper } from '../use-app.js';

const LITERAL = ['%', '_', '.', '*', '+', '?', '(', '[', ']', '^', '$', '|', '\\', "'", '"', '{}'];

describe.each(ENGINES)('GET /clients on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);
  const bob = useDeveloper(app);

  describe('with a search', () => {
    const names = async (search: string, { token } = ada) => {
      const path = `/clients?limit=100&search=${encodeURIComponent(search)}`;
      const { status, body } = await app.get(path, { token });
      expect(status).toBe(200);
      return body.data.map(({ name }: { name: string }) => name).sort();
    };

    beforeAll(async () => {
      const stored = [
        ['Globex', 'sales@globex.example'],
        ['GLOBAL Dynamics', 'office@dynamics.example'],
        ['ＧＬＯＢＥ wide', 'ｗｉｄｅ@letters.example'],
        ['Österreich AG', 'globus@oesterreich.example'],
        ['Initech (glob)', 'initech@initech.example'],
        ['Attica', 'Νίκος@attica.example'],
        ...LITERAL.map((character, i) => [`${character}x${i}`, `literal-${i}@marks.example`]),
      ];
      await Promise.all(
        stored.map(([name, email]) => createClient(app, ada, { name: name!, email: email! })),
      );
      await createClient(app, bob, { name: 'Globex of Bob', email: 'bob@globex.example' });
    });

    it('matches the beginning of the name or of the e-mail address, in any case and width', async () => {
      const all = ['GLOBAL Dynamics', 'Globex', 'Österreich AG', 'ＧＬＯＢＥ wide'];

      for (const search of ['glob', 'GLOB', 'ｇｌｏｂ', ' Glob ']) {
        expect(await names(search)).toEqual(all);
      }
    });

    it.each([
      ['österreich', ['Österreich AG']],
      ['o\u0308sterreich', ['Österreich AG']],
      ['global d', ['GLOBAL Dynamics']],
      ['OFFICE@', ['GLOBAL Dynamics']],
      ['initech (', ['Initech (glob)']],
      ['wide@', ['ＧＬＯＢＥ wide']],
      ['νίκος', ['Attica']],
      ['ΝΊΚΟΣ@', ['Attica']],
    ])('finds what begins with %s', async (search, found) => {
      expect(await names(search)).toEqual(found);
    });

    it.each(['lobex', 'dynamics', 'globex.example', 'globexx', 'Globex of', '@'])(
      'finds nothing by %s, which is the beginning of nothing of the user',
      async (search) => {
        expect(await names(search)).toEqual([]);
      },
    );

    it.each(LITERAL.map((character, i) => [character, i] as const))(
      'takes %s as it is',
      async (character, i) => {
        expect(await names(character)).toEqual([`${character}x${i}`]);
        expect(await names(`lit${character}`)).toEqual([]);
      },
    );

    it("finds the caller's own clients alone", async () => {
      expect(await names('glob', bob)).toEqual(['Globex of Bob']);
      expect(await names('literal', bob)).toEqual([]);
    });

    it('goes on to the next page with the same search', async () => {
      const found = await readPages(app, '/clients?limit=3&search=literal', ada);

      expect(new Set(idsOf(found)).size).toBe(LITERAL.length);
    });

    it('finds a client by its new name and address at once, and no longer by the old ones', async () => {
      const { _id } = await createClient(app, ada, {
        name: 'Before',
        email: 'before@acme.example',
      });
      await app.patch(`/clients/${_id}`, { name: 'After', email: 'later@acme.example' }, ada);

      expect(await names('before')).toEqual([]);
      expect([await names('AFTER'), await names('later@')]).toEqual([['After'], ['After']]);
    });

    it.each([
      ['empty', 'search='],
      ['blank', 'search=%20'],
      ['201 characters', `search=${'x'.repeat(201)}`],
      ['given twice', 'search=a&search=b'],
      ['with a NUL', 'search=%00'],
    ])('400: rejects a search that is %s', async (_case, query) => {
      const response = await app.get(`/clients?${query}`, ada);

      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ errors: { search: expect.any(Array) } });
    });
  });

  it('shows each client once while others come, change and go between the pages', async () => {
    const carol = await registerDeveloper(app);
    const clients: { _id: string }[] = [];
    for (let i = 0; i < 9; i++) {
      // Three of a time, so that the id has to break the tie.
      app.clock.advance({ seconds: i % 3 === 0 ? 1 : 0 });
      clients.push(await createClient(app, carol));
    }
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

  it('continues after a client that was deleted after its page', async () => {
    const dave = await registerDeveloper(app);
    const clients = [];
    for (let i = 0; i < 3; i++) clients.push(await createClient(app, dave));
    const [first, second, third] = idsOf(clients);
    const shown = await readPages(app, '/clients?limit=1', dave, () =>
      Promise.all([app.delete(`/clients/${third}`, dave), app.delete(`/clients/${second}`, dave)]),
    );

    expect(idsOf(shown)).toEqual([third, first]);
  });

  it('400: rejects a cursor of another list', async () => {
    const { _id } = await createClient(app, ada);
    for (let i = 0; i < 2; i++) await createProject(app, ada, _id);
    const { body } = await app.get('/projects?limit=1', ada);
    const response = await app.get(`/clients?cursor=${body.nextCursor}`, ada);

    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: { cursor: [expect.any(String)] } });
  });
});
