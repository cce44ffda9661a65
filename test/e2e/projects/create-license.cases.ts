import { ENGINES } from '../../engines.js';
import { atOnce } from '../at-once.js';
import { createLicense, type CreatedLicense, NOBODYS, validationOf } from '../developer.js';
import { idsOf } from '../pages.js';
import { useApp, useDeveloper } from '../use-app.js';

describe.each(ENGINES)('POST /projects/:id/licenses on %s', (engine) => {
  const app = useApp(engine, { KEY_PREFIX: 'ACME' });
  const ada = useDeveloper(app);
  let first: CreatedLicense;

  beforeAll(async () => {
    first = await createLicense(app, ada);
  });

  const create = (terms: object = {}, project = first.project) =>
    app.post(
      `/projects/${project}/licenses`,
      { duration: 6, services: ['Hosting'], ...terms },
      ada,
    );

  describe('201', () => {
    it('returns one more license of the project, PENDING, with a key of its own', async () => {
      app.clock.advance({ seconds: 1 });
      const response = await create({ duration: 12, services: ['Domain', 'Hosting', 'Domain'] });
      const { license } = response.body;

      expect(response.status).toBe(201);
      expect(response.body.message).toBe('License created successfully');
      expect(license).toEqual({
        ...first,
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        key: expect.stringMatching(
          new RegExp(`^ACME-${first.project}-[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$`),
        ),
        duration: 12,
        services: ['Domain', 'Hosting'],
        issuedAt: '2026-01-31T10:15:01.000Z',
        expiresAt: '2027-01-31T10:15:01.000Z',
        createdAt: '2026-01-31T10:15:01.000Z',
        updatedAt: '2026-01-31T10:15:01.000Z',
      });
      expect(license.key).not.toBe(first.key);
      expect((await app.get(`/licenses/${license._id}`, ada)).body).toEqual(license);
      expect(await validationOf(app, license)).toBe('pending');
    });

    it('creates each of ten concurrent licenses, and lists them all', async () => {
      const { project, _id } = await createLicense(app, ada);
      const responses = await atOnce(10, () => create({}, project.toUpperCase()));
      const created = responses.map(({ body }) => body.license);
      const { body } = await app.get(`/licenses?projectId=${project}`, ada);

      expect(new Set(created.map(({ key }) => key)).size).toBe(10);
      expect(idsOf(body.data).sort()).toEqual([_id, ...idsOf(created)].sort());
    });
  });

  describe('400', () => {
    it.each([undefined, null, 0, 13, -1, 6.5, '6', [6], { $gt: 0 }, true, 1e300])(
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

    it.each(['Hosting', ['Email'], ['Hosting', null], [['Hosting']], { $in: ['Hosting'] }])(
      'says "Validation error" for the services %j',
      async (services) => {
        const response = await create({ services });

        expect(response.status).toBe(400);
        expect(response.body).toMatchObject({
          message: 'Validation error',
          errors: { services: expect.any(Array) },
        });
      },
    );

    it('checks in the order of createProject, and the project last', async () => {
      const missing = (terms: object) => create(terms, NOBODYS);

      expect((await missing({ duration: 0, services: [] })).body.message).toBe('Invalid duration');
      expect((await missing({ services: [] })).body.message).toBe(
        'At least one service is required',
      );
      expect((await missing({ services: ['x'] })).body.message).toBe('Validation error');
      expect((await missing({})).body.message).toBe('Project not found');
    });
  });
});
