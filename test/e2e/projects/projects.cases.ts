import { PROJECT_TASKS } from '../../../src/projects/project-task.js';
import { Store } from '../../../src/storage/store.js';
import { LAPTOP, NOBODYS } from '../developer.js';
import { expectError, expectInvalid } from '../responses.js';
import { useDeveloper } from '../use-app.js';

const AN_ID = /^[0-9a-f]{24}$/;

describe('The projects', () => {
  const [app, ada] = useDeveloper({ KEY_PREFIX: 'ACME' });
  let clientId: string;
  beforeEach(async () => {
    clientId = (await app.createClient(ada))._id;
  });

  const create = (changes: object = {}) =>
    app.post(
      '/projects/createProject',
      { clientId, projectName: 'Shop', duration: 6, services: ['Hosting'], ...changes },
      ada,
    );
  const read = async (path: string) => (await app.get(path, ada)).body;

  it('POST /projects/createProject returns the project and its first license, and stores both', async () => {
    const services = ['Hosting', 'Domain', 'Hosting'];
    const response = await create({ projectName: ' Shop ', services, duration: 1 });
    const { project, license } = response.body;
    const now = '2026-01-31T10:15:00.000Z';

    expect(response.status).toBe(201);
    expect(response.body.message).toBe('Project and license created');
    expect(project).toEqual({
      _id: expect.stringMatching(AN_ID),
      ...{ name: 'Shop', client: clientId, product: null, createdAt: now, updatedAt: now },
    });
    expect(license).toEqual({
      _id: expect.stringMatching(AN_ID),
      key: expect.stringMatching(new RegExp(`^ACME-${project._id}(-[A-Z0-9]{4}){3}$`)),
      ...{ duration: 1, services: ['Hosting', 'Domain'], status: 'PENDING' },
      // The end is clamped to the last day of a month.
      ...{ issuedAt: now, expiresAt: '2026-02-28T10:15:00.000Z' },
      ...{ user: ada._id, client: clientId, project: project._id, product: null },
      ...{ machineId: null, activatedAt: null, revokedAt: null, revokedReason: null },
      suspendedReason: null,
      ...{ keyHint: (license.key as string).slice(-4), projectName: 'Shop' },
      clientName: expect.any(String),
      ...{
        days: null,
        perpetual: false,
        endIsFixed: false,
        startsOnActivation: true,
        maxMachines: 1,
        machinesCount: 0,
        leaseSeconds: null,
      },
      ...{ release: 'owner', entitlements: [], metadata: {}, externalId: null, plan: null },
      ...{ updatesDays: null, updatesUntil: null },
      ...{ replaces: null, createdAt: now, updatedAt: now },
    });
    expect(await read(`/projects/${project._id}`)).toEqual(project);
    expect(await read(`/licenses/${license._id}`)).toEqual(license);
  });

  // Every form of these fields is covered in src/http/validation.
  it("400, then 404: checks in the order of the specification's table, and every other problem last", async () => {
    for (const [status, code, changes] of [
      [400, 'CLIENT_ID_AND_PROJECT_NAME_REQUIRED', { projectName: ' ', duration: 0, services: [] }],
      [400, 'INVALID_DURATION', { clientId: 'x', duration: 0, services: [] }],
      [400, 'SERVICES_REQUIRED', { clientId: 'x', services: [] }],
      [400, 'VALIDATION_ERROR', { clientId: 'x' }],
      [404, 'CLIENT_NOT_FOUND', { clientId: NOBODYS }],
    ] as const) {
      const response = await create(changes);
      expectError(response, code);
      expect(response.status).toBe(status);
    }
    const more = (terms: object) => app.post(`/projects/${NOBODYS}/licenses`, terms, ada);
    expectError(await more({ duration: 0, services: [] }), 'INVALID_DURATION');
    expectError(await more({ duration: 1, services: ['Hosting'] }), 'PROJECT_NOT_FOUND');
  });

  // The product pattern is covered in src/licenses, concurrent changes in the service's specs.
  it('the product of a project applies to all its licenses, and can change until one of them is activated', async () => {
    const made = (await create({ product: 'com.example.Web-Shop' })).body;
    expect([made.project.product, made.license.product]).toEqual(
      Array(2).fill('com.example.Web-Shop'),
    );
    const { project, license: first } = await app.createProject(ada, clientId);
    const path = `/projects/${project._id}`;
    for (const product of ['', 'web shop', NOBODYS, ['shop']]) {
      expectInvalid(await create({ product }), 'product');
      expectInvalid(await app.patch(path, { name: 'New', product }, ada), 'product');
    }
    const statusOf = async ({ key }: { key: string }, product: string) =>
      (await app.post('/validate', { key, product })).body.status as string;
    expect(await statusOf(first, 'late')).toBe('invalid');

    app.clock.advance({ seconds: 1 });
    expect((await app.patch(path, { product: 'typo' }, ada)).status).toBe(200);
    expect(await statusOf(first, 'typo')).toBe('pending');
    const set = await app.patch(path, { product: 'late' }, ada);
    const updatedAt = app.clock.now().toISOString();
    expect(set.body.project).toEqual({ ...project, product: 'late', updatedAt });
    await app.activate(first, LAPTOP);
    for (const product of ['Late', 'forum']) {
      const conflict = await app.patch(path, { product, name: 'Forum' }, ada);
      expectError(conflict, 'PROJECT_HAS_PRODUCT');
    }
    expectInvalid(await app.patch(path, { product: null }, ada), 'product');
    expect(await read(path)).toEqual(set.body.project);
    const second = await app.addLicense(ada, project._id);
    expect(await statusOf(second, 'late')).toBe('pending');
    expect(await statusOf(made.license as typeof first, 'late')).toBe('invalid');
    expect((await read('/licenses?product=late')).data).toHaveLength(2);
  });

  it('POST /projects/:id/licenses/revoke revokes all licenses: 202, then one event for each', async () => {
    const license = await app.createLicense(ada);
    const other = await app.addLicense(ada, license.project);
    await app.activate(license, LAPTOP);
    const path = `/projects/${license.project}/licenses/revoke`;
    const headers = { 'Idempotency-Key': 'revocation-of-all' };
    const send = () => app.post(path, { reason: ' Sold ' }, { token: ada.token, headers });
    const { status, body } = await send();
    expect([status, body]).toEqual([202, { message: 'Licenses are being revoked' }]);
    // The project worker runs alongside requests.
    while ((await app.validationOf(other)) !== 'revoked') await new Promise(setImmediate);
    expect(await app.validationOf(license, LAPTOP)).toBe('revoked');
    expect((await app.eventsOf(ada, other))[0]).toMatchObject({
      ...{ type: 'license.revoked', data: { reason: 'Sold' } },
      actor: { type: 'user', id: ada._id },
    });
    app.clock.advance({ seconds: 1 });
    const later = await app.addLicense(ada, license.project);
    expect((await send()).body).toEqual(body);
    expect(await app.validationOf(later)).toBe('pending');
    expectInvalid(await app.post(path, { reason: 5 }, ada), 'reason');
  });

  it.each(['projects', 'clients'])(
    'DELETE /%s/:id with `withLicenses` revokes and deletes each license and uncounts it, with two events from that request',
    async (kind) => {
      const client = await app.createClient(ada);
      const { project, license: pending } = await app.createProject(ada, client._id);
      await app.createProject(ada, client._id);
      const [active, revoked] = [
        await app.addLicense(ada, project._id),
        await app.addLicense(ada, project._id),
      ];
      await app.activate(active, LAPTOP);
      await app.post(`/licenses/${revoked._id}/revoke`, { reason: 'Sold' }, ada);
      app.clock.advance({ seconds: 1 });
      const isProject = kind === 'projects';
      const path = `/${kind}/${isProject ? project._id : client._id}`;
      const code = isProject ? 'PROJECT_HAS_ACTIVE_LICENSES' : 'CLIENT_HAS_PROJECTS';
      expectError(await app.delete(`${path}?withLicenses=false`, ada), code);
      expectInvalid(await app.delete(`${path}?withLicenses=yes`, ada), 'withLicenses');
      const { status, headers } = await app.delete(`${path}?withLicenses=true`, ada);
      expect([status, await app.validationOf(active, LAPTOP)]).toEqual([204, 'invalid']);
      expect((await app.get(path, ada)).status).toBe(404);
      // The project worker continues after the response.
      const store = app.nest.get(Store, { strict: false });
      while ((await store.count(PROJECT_TASKS, {})) > 0) await new Promise(setImmediate);
      const { body: left } = await app.get('/dashboard', ada);
      const counts = [left.clientsCount, left.projectsCount, left.licensesCount];
      // All tests share one client.
      expect(counts).toEqual(isProject ? [2, 1, 1] : [1, 0, 0]);
      const deleted = { type: 'license.deleted', data: {} };
      const both = [deleted, { type: 'license.revoked', data: { reason: null } }];
      for (const [{ _id: subject }, expected] of [
        [pending, both],
        [active, both],
        [revoked, [deleted]],
      ] as const) {
        const path = `/events?subject=${subject}&since=${app.clock.now().toISOString()}`;
        const by = { requestId: headers.get('x-request-id'), actor: { type: 'user', id: ada._id } };
        const { data } = (await app.get(path, ada)).body;
        expect(data).toMatchObject(expected.map((event) => ({ ...event, ...by })));
      }
    },
  );
});
