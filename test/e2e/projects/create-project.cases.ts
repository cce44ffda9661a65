import { createClient, NOBODYS, registerDeveloper } from '../developer.js';
import { expectError } from '../expect-response.js';
import { useApp, useDeveloper } from '../use-app.js';

describe('POST /projects/createProject', () => {
  const app = useApp({ KEY_PREFIX: 'ACME' });
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

  it('201: returns the project and its first license, and stores both', async () => {
    const services = ['Hosting', 'Domain', 'Hosting'];
    const response = await create({ projectName: ' Shop ', services, duration: 1 });
    const { project, license } = response.body;
    const now = '2026-01-31T10:15:00.000Z';

    expect(response.status).toBe(201);
    expect(response.body.message).toBe('Project and license created successfully');
    expect(project).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      ...{ name: 'Shop', client: clientId, product: null, createdAt: now, updatedAt: now },
    });
    expect(license).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      key: expect.stringMatching(new RegExp(`^ACME-${project._id}(-[A-Z0-9]{4}){3}$`)),
      ...{ duration: 1, services: ['Hosting', 'Domain'], status: 'PENDING' },
      // The end is clamped to the last day of a month.
      ...{ issuedAt: now, expiresAt: '2026-02-28T10:15:00.000Z' },
      ...{ user: ada._id, client: clientId, project: project._id, product: null },
      ...{ machineId: null, activatedAt: null, revokedAt: null, revokedReason: null },
      ...{ replaces: null, createdAt: now, updatedAt: now },
    });
    expect((await app.get(`/projects/${project._id}`, ada)).body).toEqual(project);
    expect((await app.get(`/licenses/${license._id}`, ada)).body).toEqual(license);
  });

  it.each([
    ['Client ID & Project name required', { clientId: ' ' }],
    ['Client ID & Project name required', { projectName: null }],
    ['Invalid duration', { duration: 0 }],
    ['Invalid duration', { duration: 13 }],
    ['Invalid duration', { duration: 6.5 }],
    ['Invalid duration', { duration: '6' }],
    ['At least one service is required', { services: undefined }],
    ['At least one service is required', { services: [] }],
  ])('400: says "%s" for %j', async (message, changes) => {
    const { status, body } = await create(changes);

    expect([status, body.message]).toEqual([400, message]);
  });

  it.each([
    ['services', ['Hosting', 'Email']],
    ['clientId', 'nonsense'],
    ['projectName', 'x'.repeat(201)],
  ])('400: gives reasons for `%s` where it is %j', async (field, value) => {
    expectError(await create({ [field]: value }), [400, 'VALIDATION_ERROR'], {
      message: 'Validation error',
      errors: { [field]: [expect.any(String)] },
      details: expect.any(String),
    });
  });

  it("400: checks in the order of the specification's table, and every other problem last", async () => {
    const messageOf = async (changes: object) => (await create(changes)).body.message;
    const wrong = { clientId: null, projectName: 5, duration: 0, services: [] };
    const second = { ...wrong, clientId: 'x', projectName: 'y' };
    const third = { ...second, duration: 1 };

    expect(await messageOf(wrong)).toBe('Client ID & Project name required');
    expect(await messageOf(second)).toBe('Invalid duration');
    expect(await messageOf(third)).toBe('At least one service is required');
    expect(await messageOf({ ...third, services: ['Hosting'] })).toBe('Validation error');
  });

  it("404: says the same for a client of another user's and for one that does not exist", async () => {
    const bob = await registerDeveloper(app);
    for (const response of [await create({}, bob), await create({ clientId: NOBODYS })]) {
      expectError(response, [404, 'CLIENT_NOT_FOUND'], { message: 'Client not found' });
    }
  });
});
