import { ENGINES } from '../../engines.js';
import { createClient, NOBODYS, registerDeveloper } from '../developer.js';
import { useApp, useDeveloper } from '../use-app.js';

describe.each(ENGINES)('POST /projects/createProject on %s', (engine) => {
  const app = useApp(engine, { KEY_PREFIX: 'ACME' });
  const ada = useDeveloper(app);
  let clientId: string;

  beforeAll(async () => {
    clientId = (await createClient(app, ada))._id;
  });

  const create = (changes: object = {}, { token }: { token: string } = ada) =>
    app.post(
      '/projects/createProject',
      { clientId, projectName: 'Shop', duration: 6, services: ['Hosting'], ...changes },
      { token },
    );

  describe('201', () => {
    it('returns the project and its first license', async () => {
      const response = await create({ services: ['Hosting', 'Domain'], projectName: ' Shop ' });
      const { project, license } = response.body;

      expect(response.status).toBe(201);
      expect(response.body.message).toBe('Project and license created successfully');
      expect(project).toEqual({
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        name: 'Shop',
        client: clientId,
        product: null,
        createdAt: '2026-01-31T10:15:00.000Z',
        updatedAt: '2026-01-31T10:15:00.000Z',
      });
      expect(license).toEqual({
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        key: expect.stringMatching(
          new RegExp(`^ACME-${project._id}-[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$`),
        ),
        duration: 6,
        issuedAt: '2026-01-31T10:15:00.000Z',
        expiresAt: '2026-07-31T10:15:00.000Z',
        services: ['Hosting', 'Domain'],
        status: 'PENDING',
        user: ada._id,
        client: clientId,
        project: project._id,
        product: null,
        machineId: null,
        activatedAt: null,
        revokedAt: null,
        revokedReason: null,
        replaces: null,
        createdAt: '2026-01-31T10:15:00.000Z',
        updatedAt: '2026-01-31T10:15:00.000Z',
      });
    });

    it('stores both', async () => {
      const { project, license } = (await create()).body;

      expect((await app.get(`/projects/${project._id}`, ada)).body).toEqual(project);
      expect((await app.get(`/licenses/${license._id}`, ada)).body).toEqual(license);
    });

    it('clamps the end to the last day of a month: 31 January and 1 month', async () => {
      expect((await create({ duration: 1 })).body.license.expiresAt).toBe(
        '2026-02-28T10:15:00.000Z',
      );
    });

    it('stores repeated services once', async () => {
      const { body } = await create({ services: ['Domain', 'Hosting', 'Domain'] });

      expect(body.license.services).toEqual(['Domain', 'Hosting']);
    });
  });

  describe('400', () => {
    it.each([
      ['clientId absent', { clientId: undefined }],
      ['clientId null', { clientId: null }],
      ['clientId blank', { clientId: ' ' }],
      ['projectName absent', { projectName: undefined }],
      ['projectName null', { projectName: null }],
      ['projectName blank', { projectName: ' ' }],
    ])('says "Client ID & Project name required": %s', async (_case, changes) => {
      const response = await create(changes);

      expect(response.status).toBe(400);
      expect(response.body.message).toBe('Client ID & Project name required');
    });

    it.each([undefined, null, 0, 13, -1, 6.5, '6', '', [6], { $gt: 0 }, true, 1e300])(
      'says "Invalid duration" for %j',
      async (duration) => {
        const response = await create({ duration });

        expect(response.status).toBe(400);
        expect(response.body.message).toBe('Invalid duration');
      },
    );

    it.each([undefined, null, [], ''])(
      'says "At least one service is required" for %j',
      async (services) => {
        const response = await create({ services });

        expect(response.status).toBe(400);
        expect(response.body.message).toBe('At least one service is required');
      },
    );

    it.each([
      ['an unknown service', { services: ['Hosting', 'Email'] }, 'services'],
      ['services that are a string', { services: 'Hosting' }, 'services'],
      ['services that are an object', { services: { $in: ['Hosting'] } }, 'services'],
      ['a service that is null', { services: [null] }, 'services'],
      ['a service in an array', { services: [['Hosting']] }, 'services'],
      ['a clientId that is no object id', { clientId: 'nonsense' }, 'clientId'],
      ['a clientId that is an operator', { clientId: { $ne: null } }, 'clientId'],
      ['a projectName that is a number', { projectName: 5 }, 'projectName'],
      ['a projectName of 201 characters', { projectName: 'x'.repeat(201) }, 'projectName'],
    ])('says "Validation error" with reasons for %s', async (_case, changes, field) => {
      const response = await create(changes);

      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({
        message: 'Validation error',
        errors: { [field]: expect.arrayContaining([expect.any(String)]) },
        details: expect.any(String),
      });
    });

    it("checks in the order of the specification's table, and every other problem last", async () => {
      const wrong = { clientId: null, projectName: 5, duration: 0, services: [] };

      expect((await create(wrong)).body.message).toBe('Client ID & Project name required');
      const second = { ...wrong, clientId: 'x', projectName: 'y' };
      expect((await create(second)).body.message).toBe('Invalid duration');
      const third = { ...second, duration: 1 };
      expect((await create(third)).body.message).toBe('At least one service is required');
      const last = { ...third, services: ['Hosting'] };
      expect((await create(last)).body.message).toBe('Validation error');
    });
  });

  it("404: says the same for a client of another user's and for one that does not exist", async () => {
    const bob = await registerDeveloper(app);
    const [foreign, missing] = await Promise.all([create({}, bob), create({ clientId: NOBODYS })]);

    expect(foreign.status).toBe(404);
    expect(foreign.body).toMatchObject({ message: 'Client not found', code: 'CLIENT_NOT_FOUND' });
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
  });
});
