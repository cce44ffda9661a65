import {
  activate,
  addLicense,
  createClient,
  createProject,
  NOBODYS,
  registerDeveloper,
} from '../developer.js';
import { expectError, expectInvalid } from '../expect-response.js';
import { idsOf, type Listed, readPages } from '../pages.js';
import { useApp, useDeveloper } from '../use-app.js';

/** The pattern of a label has its cases in src/licenses/product.spec.ts. */
const WRONG: unknown[] = ['', 'x'.repeat(65), 'web shop', 'shop\n', 'Straße', NOBODYS, ['shop']];

describe('The product of a project', () => {
  const app = useApp();
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
  const newProject = async (product: string | null) => (await create(product)).body;
  const update = ({ _id }: { _id: string }, changes: object) =>
    app.patch(`/projects/${_id}`, changes, ada);
  const read = async (path: string) => (await app.get(path, ada)).body;
  const validationOf = async ({ key }: { key: string }, product: string) =>
    (await app.post('/validate', { key, product })).body.status as string;

  it.each(['a', 'com.example.Web-Shop', 'x'.repeat(64), null])(
    'is stored at its creation as it is sent, on the first license too: %j',
    async (product) => {
      const { project, license } = await newProject(product);

      expect([project.product, license.product]).toEqual([product, product]);
      expect(await read(`/projects/${project._id}`)).toEqual(project);
      expect(await read(`/licenses/${license._id}`)).toEqual(license);
    },
  );

  it.each(WRONG)('400: is rejected by name at its creation and by PATCH: %j', async (product) => {
    const { project } = await newProject(null);

    expectInvalid(await create(product), 'product');
    expectInvalid(await update(project, { name: 'New', product }), 'product');
    expect(await read(`/projects/${project._id}`)).toEqual(project);
  });

  it('is set once by PATCH: the same again is no change of it, and another is a conflict', async () => {
    const { project } = await newProject(null);
    app.clock.advance({ seconds: 1 });
    const set = await update(project, { product: 'web-shop' });
    const updatedAt = app.clock.now().toISOString();

    expect(set.body.project).toEqual({ ...project, product: 'web-shop', updatedAt });
    expectInvalid(await update(project, { product: null }), 'product');
    for (const changes of [{ product: 'Web-shop' }, { product: 'forum', name: 'Forum' }]) {
      expectError(await update(project, changes), [409, 'PROJECT_HAS_PRODUCT'], {
        message: 'Project already has a product',
      });
    }
    expect(await read(`/projects/${project._id}`)).toEqual(set.body.project);
    const renamed = await update(project, { product: 'web-shop', name: 'Wiki' });
    expect(renamed.body.project).toMatchObject({ name: 'Wiki', product: 'web-shop' });
  });

  it('is that of all licenses of the project at once, those just validated and later ones included', async () => {
    const { project, license: first } = await newProject(null);
    const second = await addLicense(app, ada, project._id as string);
    const { license: other } = await newProject(null);
    await activate(app, first);
    for (const license of [first, second, other]) {
      expect(await validationOf(license, 'late')).toBe('invalid');
    }
    await update(project, { product: 'late' });
    const third = await addLicense(app, ada, project._id as string);
    const { revoked, license } = (await app.post(`/licenses/${second._id}/reissue`, {}, ada)).body;

    const statuses = [first, revoked, third, license, other].map((one) =>
      validationOf(one, 'late'),
    );
    expect(await Promise.all(statuses)).toEqual([
      ...['active', 'revoked', 'pending', 'pending', 'invalid'],
    ]);
    for (const { _id } of [first, second, third, license]) {
      expect(await read(`/licenses/${_id}`)).toMatchObject({ product: 'late' });
    }
    expect(await read(`/licenses/${other._id}`)).toMatchObject({ product: null });
  });

  it('filters projects and licenses by exactly that label, page by page, beside every other filter', async () => {
    const dan = await registerDeveloper(app);
    const clients = [await createClient(app, dan), await createClient(app, dan)];
    const own = { shop: [] as string[], Shop: [] as string[], sho: [] as string[] };
    for (const [index, product] of (['shop', 'shop', 'Shop'] as const).entries()) {
      const { license } = await createProject(app, dan, clients[index % 2]!._id, { product });
      own[product].unshift(license.project);
    }
    await createProject(app, dan, clients[0]!._id);
    const list = async (path: string, query: string) =>
      readPages<Listed & { project: string }>(app, `${path}?limit=1&${query}`, dan);

    for (const [product, ids] of Object.entries(own)) {
      expect(idsOf(await list('/projects', `product=${product}`))).toEqual(ids);
      const licenses = await list('/licenses', `product=${product}`);
      expect(licenses.map(({ project }) => project)).toEqual(ids);
    }
    const ofClient = `product=shop&clientId=${clients[1]!._id}`;
    expect(idsOf(await list('/projects', ofClient))).toEqual([own.shop[0]]);
    expect(await list('/licenses', `${ofClient}&status=PENDING&sort=expiresAt`)).toHaveLength(1);
    for (const wrong of ['product=', 'product=web%20shop', `product=${NOBODYS}`]) {
      for (const path of ['/projects', '/licenses']) {
        expectInvalid(await app.get(`${path}?${wrong}`, dan), 'product');
      }
    }
  });
});
