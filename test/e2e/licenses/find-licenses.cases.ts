import {
  activate,
  addLicense,
  createClient,
  createLicense,
  createProject,
  registerDeveloper,
  unknownKey,
} from '../developer.js';
import { expectError, expectInvalid, expectResponse } from '../expect-response.js';
import { useApp, useDeveloper } from '../use-app.js';

const TERMS = { duration: 6, services: ['Hosting'] };

describe('Finding licenses', () => {
  const app = useApp({ UNKNOWN_KEY_LIMIT: '2' });
  const ada = useDeveloper(app);

  const lookUp = (key: unknown, user = ada) => app.post('/licenses/lookup', { key }, user);
  const list = async (query: string) => (await app.get(`/licenses?${query}`, ada)).body;

  it('by key, in any form; an unknown key counts, and that of another account is one', async () => {
    const license = await createLicense(app, ada);
    const read = (await app.get(`/licenses/${license._id}`, ada)).body;
    expectResponse(await lookUp(` ${license.key.toLowerCase()} `), 200, read);
    expectError(await lookUp(' '), [400, 'LICENSE_KEY_REQUIRED']);
    const eve = await registerDeveloper(app);
    for (const key of [license.key, 'nonsense', 'nonsense']) {
      expectError(await lookUp(key, eve), [404, 'LICENSE_NOT_FOUND']);
    }
    expectError(await lookUp(unknownKey(), eve), [429, 'TOO_MANY_REQUESTS']);
    const own = await createLicense(app, eve);
    expect((await lookUp(own.key, eve)).status).toBe(200);
    expectError(await lookUp(unknownKey()), [404, 'LICENSE_NOT_FOUND']);
  });

  it('by external id, entitlement and end, combined with each other and counted', async () => {
    const project = (await createProject(app, ada, (await createClient(app, ada))._id)).project._id;
    const plain = await addLicense(app, ada, project, { entitlements: ['a'], externalId: 'o-1' });
    const endless = { entitlements: ['a', 'b'], duration: null, perpetual: true };
    const perpetual = await addLicense(app, ada, project, endless);
    const short = await addLicense(app, ada, project, { duration: null, days: 1 });
    for (const license of [perpetual, short]) await activate(app, license);
    const found = async (query: string) =>
      (await list(query)).data.map(({ _id }: { _id: string }) => _id);
    const inProject = `projectId=${project}`;
    expect(await found('externalId=o-1')).toEqual([plain._id]);
    expect(await found(`externalId=o-1&${inProject}&status=ACTIVE`)).toEqual([]);
    expect(await found('externalId=o-2')).toEqual([]);
    expect((await found(`entitlement=a&${inProject}`)).sort()).toEqual(
      [plain._id, perpetual._id].sort(),
    );
    expect(await found('entitlement=b&status=ACTIVE')).toEqual([perpetual._id]);
    expect(await found(`expiresAfter=2026-02-02T00:00:00Z&${inProject}`)).toEqual([perpetual._id]);
    expect(
      await found(
        `expiresAfter=2026-02-01T00:00:00Z&expiresBefore=2026-03-01T00:00:00Z&${inProject}`,
      ),
    ).toEqual([short._id]);
    expect((await list(`${inProject}&limit=1&total=true`)).total).toBe(4);
    expect((await list(`${inProject}&limit=1&total=false`)).total).toBeUndefined();
    expect((await list('externalId=o-2&total=true')).total).toBe(0);
    expectInvalid(await app.get('/licenses?total=yes', ada), 'total');
    for (const path of ['/clients', '/projects', '/plans']) {
      const { body } = await app.get(`${path}?limit=1&total=true`, ada);
      expect(body.total).toBe((await app.get(`${path}?limit=100`, ada)).body.data.length);
    }
  });

  it('shows the names of their clients and projects as they are now', async () => {
    const client = await createClient(app, ada, { name: 'Acme' });
    const { project, license } = await createProject(app, ada, client._id, { projectName: 'Shop' });
    const read = async () => (await app.get(`/licenses/${license._id}`, ada)).body;
    expect(await read()).toMatchObject({ clientName: 'Acme', projectName: 'Shop' });
    await app.patch(`/projects/${project._id}`, { name: 'Web shop' }, ada);
    expect(await read()).toMatchObject({ clientName: 'Acme', projectName: 'Web shop' });
  });
});

describe('POST /projects/:id/licenses/batch', () => {
  const app = useApp({ LICENSE_QUOTA: '5' });
  const ada = useDeveloper(app);

  it('issues all or none, each with a key of its own', async () => {
    const { project } = await createLicense(app, ada);
    const issue = (body: object) => app.post(`/projects/${project}/licenses/batch`, body, ada);
    const { status, body } = await issue({ ...TERMS, count: 3, metadata: { batch: '7' } });
    expect([status, body.message]).toEqual([201, 'Licenses created successfully']);
    expect(new Set(body.licenses.map(({ key }: { key: string }) => key)).size).toBe(3);
    for (const license of body.licenses) {
      expect((await app.get(`/licenses/${license._id}`, ada)).body).toEqual(license);
      expect(license).toMatchObject({ project, status: 'PENDING', metadata: { batch: '7' } });
    }
    expectError(await issue({ ...TERMS, count: 2 }), [403, 'LICENSE_QUOTA_REACHED']);
    expect((await app.get('/licenses?total=true', ada)).body.total).toBe(4);
    for (const count of [0, 101, undefined, '1']) {
      expectInvalid(await issue({ ...TERMS, count }), 'count');
    }
    expectInvalid(await issue({ ...TERMS, count: 1, externalId: 'o-1' }), 'externalId');
    expectError(await issue({ count: 1, services: ['Hosting'] }), [400, 'INVALID_DURATION']);
  });
});
