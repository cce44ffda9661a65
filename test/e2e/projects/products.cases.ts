import { ENGINES } from '../../engines.js';
import { atOnce, statusesOf } from '../at-once.js';
import {
  activate,
  addLicense,
  createClient,
  createProject,
  NOBODYS,
  registerDeveloper,
} from '../developer.js';
import { everythingOf } from '../everything.js';
import { idsOf, type Listed, readPages } from '../pages.js';
import { useApp, useDeveloper } from '../use-app.js';

const LABELS = [
  ...['a', '7', 'com.example.web-shop', 'A_1', 'constructor', 'x'.repeat(64)],
  ...['0'.repeat(23), '0'.repeat(25), `${'0'.repeat(23)}g`],
];

const WRONG: unknown[] = [
  ...['', ' ', 'x'.repeat(65), '.shop', '-shop', '_shop', 'shop.', 'shop-', 'web shop'],
  ...[' shop', 'shop ', 'shop\n', 'web/shop', 'web\u0000shop', 'Straße', 'ｓhop'],
  ...[NOBODYS, NOBODYS.toUpperCase(), '0123456789ABCDEFabcdef01'],
  ...[5, true, [], ['shop'], {}, { $ne: null }],
];

describe.each(ENGINES)('The product of a project, on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);
  let client: { _id: string };

  beforeAll(async () => {
    client = await createClient(app, ada);
  });

  const create = (product: unknown) =>
    app.post(
      '/projects/createProject',
      { clientId: client._id, projectName: 'Shop', duration: 6, services: ['Hosting'], product },
      ada,
    );
  const update = ({ _id }: { _id: string }, changes: object) =>
    app.patch(`/projects/${_id}`, changes, ada);
  const read = async (path: string) => (await app.get(path, ada)).body;
  const validationOf = async ({ key }: { key: string }, product: string) =>
    (await app.post('/validate', { key, product })).body.status as string;

  describe('at its creation', () => {
    it.each(LABELS)('is stored as it is sent, on the first license too: %s', async (product) => {
      const { status, body } = await create(product);

      expect(status).toBe(201);
      expect(body).toMatchObject({ project: { product }, license: { product } });
      expect(await read(`/projects/${body.project._id}`)).toEqual(body.project);
      expect(await read(`/licenses/${body.license._id}`)).toEqual(body.license);
    });

    it.each([undefined, null])('is null for %j', async (product) => {
      const { status, body } = await create(product);

      expect(status).toBe(201);
      expect(body).toMatchObject({ project: { product: null }, license: { product: null } });
    });

    it.each(WRONG)('400: is rejected by name for %j, and nothing is created', async (product) => {
      const before = await everythingOf(app, ada);
      const response = await create(product);

      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({
        message: 'Validation error',
        errors: { product: [expect.any(String)] },
      });
      expect(Object.keys(response.body.errors as object)).toEqual(['product']);
      expect(await everythingOf(app, ada)).toEqual(before);
    });

    it('may be that of another project, of another client and of another account', async () => {
      const bob = await registerDeveloper(app);
      const other = await createClient(app, bob);
      const { project } = await createProject(app, bob, other._id, { product: 'shared' });

      expect(project).toMatchObject({ product: 'shared' });
      expect(statusesOf([await create('shared'), await create('shared')])).toEqual([201, 201]);
    });
  });

  describe('by PATCH', () => {
    it('is set once: the same again is no change of it, and another is a conflict', async () => {
      const { project } = (await create(null)).body;
      app.clock.advance({ seconds: 1 });
      const set = await update(project, { product: 'web-shop' });
      const updatedAt = app.clock.now().toISOString();

      expect(set.status).toBe(200);
      expect(set.body).toEqual({
        message: 'Project updated successfully',
        project: { ...project, product: 'web-shop', updatedAt },
      });
      expect((await update(project, { product: 'web-shop' })).status).toBe(200);
      for (const changes of [{ product: 'Web-shop' }, { product: 'forum', name: 'Forum' }]) {
        const changed = await update(project, changes);
        expect(changed.status).toBe(409);
        expect(changed.body).toMatchObject({
          message: 'Project already has a product',
          code: 'PROJECT_HAS_PRODUCT',
        });
      }
      expect(await read(`/projects/${project._id}`)).toEqual(set.body.project);
    });

    it('is set with a name, and stays when a name is set without it', async () => {
      const { project } = (await create(null)).body;
      const both = await update(project, { name: 'Forum', product: 'forum' });
      const name = await update(project, { name: 'Wiki' });

      expect(both.body.project).toMatchObject({ name: 'Forum', product: 'forum' });
      expect(name.body.project).toMatchObject({ name: 'Wiki', product: 'forum' });
    });

    it.each([null, ...WRONG])('400: is rejected by name for %j', async (product) => {
      const { project } = (await create(null)).body;
      const response = await update(project, { name: 'New', product });

      expect(response.status).toBe(400);
      expect(Object.keys(response.body.errors as object)).toEqual(['product']);
      expect(await read(`/projects/${project._id}`)).toEqual(project);
    });

    it('is that of all licenses of the project at once, those that were just validated included', async () => {
      const { project, license: first } = (await create(null)).body;
      const second = await addLicense(app, ada, project._id as string);
      const other = (await create(null)).body.license;
      await activate(app, first);
      for (const license of [first, second, other]) {
        expect(await validationOf(license, 'late')).toBe('invalid');
      }
      await update(project, { product: 'late' });

      expect(await validationOf(first, 'late')).toBe('active');
      expect(await validationOf(second, 'late')).toBe('pending');
      expect(await validationOf(other, 'late')).toBe('invalid');
      for (const { _id } of [first, second]) {
        expect(await read(`/licenses/${_id}`)).toMatchObject({ product: 'late' });
      }
      expect(await read(`/licenses/${other._id}`)).toMatchObject({ product: null });
    });

    it('is one of 20 that are set at the same time, and that of every license', async () => {
      const { project, license } = (await create(null)).body;
      const responses = await atOnce(20, (i) => update(project, { product: `product-${i}` }));
      const set = responses.filter(({ status }) => status === 200);

      expect(set).toHaveLength(1);
      expect(responses.filter(({ status }) => status === 409)).toHaveLength(19);
      const { product } = set[0]!.body.project;
      expect(await read(`/projects/${project._id}`)).toMatchObject({ product });
      expect(await read(`/licenses/${license._id}`)).toMatchObject({ product });
    });
  });

  it('is that of each license that is added or reissued later', async () => {
    const { project, license } = (await create(null)).body;
    await update(project, { product: 'later' });
    const added = await addLicense(app, ada, project._id as string);
    const { body } = await app.post(`/licenses/${license._id}/reissue`, {}, ada);

    expect(added).toMatchObject({ product: 'later' });
    expect(body).toMatchObject({ revoked: { product: 'later' }, license: { product: 'later' } });
    for (const one of [added, body.license])
      expect(await validationOf(one, 'later')).toBe('pending');
  });

  it('is shown by the dashboard', async () => {
    const carol = await registerDeveloper(app);
    const { _id } = await createClient(app, carol);
    const { project, license } = await createProject(app, carol, _id, { product: 'shown' });
    const { body } = await app.get('/dashboard', carol);

    expect(body.data[0].projects).toEqual([{ ...project, licensesCount: 1, licenses: [license] }]);
    expect(body.data[0].projects[0]).toMatchObject({
      product: 'shown',
      licenses: [{ product: 'shown' }],
    });
  });

  describe('filters', () => {
    const dan = useDeveloper(app);
    const clients: { _id: string }[] = [];
    let projects: (Listed & Product)[];
    let licenses: (Listed & Product)[];

    interface Product {
      readonly client: string;
      readonly project: string;
      readonly product: string | null;
      readonly status: string;
    }

    beforeAll(async () => {
      clients.push(await createClient(app, dan), await createClient(app, dan));
      for (const [index, product] of ['shop', 'forum', 'shop', 'Shop', 'shop.eu'].entries()) {
        const { project, license } = await createProject(app, dan, clients[index % 2]!._id, {
          product,
        });
        if (index % 2) await activate(app, license);
        await addLicense(app, dan, project._id);
      }
      await createProject(app, dan, clients[0]!._id);
      await createProject(app, ada, client._id, { product: 'shop' });
      projects = await readPages(app, '/projects', dan);
      licenses = await readPages(app, '/licenses', dan);
    });

    it.each(['shop', 'Shop', 'forum', 'sho', 'shop.e'])(
      'GET /projects?product=%s lists those of exactly that label, page by page',
      async (product) => {
        const own = projects.filter((project) => project.product === product);

        expect(await readPages(app, `/projects?limit=1&product=${product}`, dan)).toEqual(own);
        for (const { _id } of clients) {
          const path = `/projects?product=${product}&clientId=${_id}`;
          const ofClient = own.filter((project) => project.client === _id);
          expect(await readPages(app, path, dan)).toEqual(ofClient);
        }
      },
    );

    it.each(['shop', 'Shop', 'forum', 'sho', 'shop.e'])(
      'GET /licenses?product=%s lists those of exactly that label, page by page',
      async (product) => {
        const own = licenses.filter((license) => license.product === product);
        const list = async (query: string) =>
          idsOf(await readPages(app, `/licenses?product=${product}&${query}`, dan)).sort();
        const ids = (filter: (license: Product) => boolean) => idsOf(own.filter(filter)).sort();

        expect(await readPages(app, `/licenses?limit=1&product=${product}`, dan)).toEqual(own);
        expect(await list('sort=expiresAt&limit=1')).toEqual(ids(() => true));
        for (const status of ['PENDING', 'ACTIVE']) {
          expect(await list(`status=${status}`)).toEqual(ids((one) => one.status === status));
        }
        for (const { _id } of clients) {
          expect(await list(`clientId=${_id}`)).toEqual(ids((one) => one.client === _id));
        }
        for (const { _id } of projects) {
          expect(await list(`projectId=${_id}`)).toEqual(ids((one) => one.project === _id));
        }
      },
    );

    it('choose among several records of a product, others and one without', () => {
      expect(projects.map(({ product }) => product).sort()).toEqual(
        ['Shop', 'forum', 'shop', 'shop', 'shop.eu', null].sort(),
      );
      expect(licenses.filter(({ product }) => product === 'shop')).toHaveLength(4);
    });

    it.each([
      'product=',
      'product=web%20shop',
      `product=${NOBODYS}`,
      'product[$ne]=',
      'product=a&product=b',
    ])('400: reject ?%s', async (query) => {
      for (const path of ['/projects', '/licenses']) {
        const response = await app.get(`${path}?${query}`, dan);
        expect(response.status).toBe(400);
        expect(response.body.message).toBe('Validation error');
      }
    });
  });
});
