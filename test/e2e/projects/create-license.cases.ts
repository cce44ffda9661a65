import { createLicense, type CreatedLicense, NOBODYS, validationOf } from '../developer.js';
import { useApp, useDeveloper } from '../use-app.js';

describe('POST /projects/:id/licenses', () => {
  const app = useApp();
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

  it('201: returns one more license of the project, PENDING, with a key of its own', async () => {
    app.clock.advance({ seconds: 1 });
    const terms = { duration: 12, services: ['Domain', 'Hosting', 'Domain'] };
    const { status, body } = await create(terms, first.project.toUpperCase());
    const { license, message } = body;
    const now = '2026-01-31T10:15:01.000Z';

    expect([status, message]).toEqual([201, 'License created successfully']);
    expect(license).toEqual({
      ...first,
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      key: expect.stringMatching(new RegExp(`^LIC-${first.project}(-[A-Z0-9]{4}){3}$`)),
      ...{ duration: 12, services: ['Domain', 'Hosting'] },
      ...{ issuedAt: now, expiresAt: '2027-01-31T10:15:01.000Z', createdAt: now, updatedAt: now },
    });
    expect(license.key).not.toBe(first.key);
    expect((await app.get(`/licenses/${license._id}`, ada)).body).toEqual(license);
    expect(await validationOf(app, license)).toBe('pending');
  });

  it('400, then 404: checks in the order of createProject, and the project last', async () => {
    const messageOf = async (terms: object) => (await create(terms, NOBODYS)).body.message;

    expect(await messageOf({ duration: 0, services: [] })).toBe('Invalid duration');
    expect(await messageOf({ services: [] })).toBe('At least one service is required');
    expect(await messageOf({ services: ['x'] })).toBe('Validation error');
    expect(await messageOf({})).toBe('Project not found');
  });
});
