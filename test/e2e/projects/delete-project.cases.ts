import { TestApp } from '../../app.js';
import { ENGINES } from '../../engines.js';
import {
  activate,
  addLicense,
  createClient,
  createLicense,
  createProject,
  type Developer,
  logIn,
  registerDeveloper,
  validationOf,
} from '../developer.js';

const START = '2026-01-31T10:15:00.000Z';

describe.each(ENGINES)('DELETE /projects/:id on %s', (engine) => {
  let app: TestApp;
  let ada: Developer;

  beforeAll(async () => {
    app = await TestApp.start(engine);
    ada = await registerDeveloper(app);
  });
  afterAll(() => app.stop());

  const remove = (_id: string, { token } = ada) => app.delete(`/projects/${_id}`, { token });

  it('204: deletes a project with its PENDING and REVOKED licenses and what happened to them', async () => {
    const client = await createClient(app, ada);
    const { project, license: pending } = await createProject(app, ada, client._id);
    const revoked = await addLicense(app, ada, project._id);
    await activate(app, revoked);
    await app.post(`/licenses/${revoked._id}/revoke`, {}, ada);
    // From here on the responses of validation may come from memory.
    expect(await validationOf(app, pending)).toBe('pending');
    expect(await validationOf(app, revoked)).toBe('revoked');
    const response = await remove(project._id);

    expect([response.status, response.body]).toEqual([204, undefined]);
    expect(await validationOf(app, pending)).toBe('invalid');
    expect(await validationOf(app, revoked)).toBe('invalid');
    expect((await activate(app, pending)).body.message).toBe('License not found');
    const gone = [pending, revoked].flatMap(({ _id }) => [
      `/licenses/${_id}`,
      `/licenses/${_id}/events`,
    ]);
    for (const path of [...gone, `/projects/${project._id}`]) {
      expect((await app.get(path, ada)).status).toBe(404);
    }
    const licenses = await app.get(`/licenses?clientId=${client._id}`, ada);
    expect(licenses.body.data).toEqual([]);
    expect((await app.get(`/projects?clientId=${client._id}`, ada)).body.data).toEqual([]);
    expect((await remove(project._id)).status).toBe(404);
    expect((await app.delete(`/clients/${client._id}`, ada)).status).toBe(204);
  });

  it('204: leaves the other projects of the client alone', async () => {
    const client = await createClient(app, ada);
    const [kept, deleted] = await Promise.all([
      createProject(app, ada, client._id),
      createProject(app, ada, client._id),
    ]);
    await remove(deleted.project._id);

    expect((await app.get(`/licenses/${kept.license._id}`, ada)).body).toEqual(kept.license);
    expect(await validationOf(app, kept.license)).toBe('pending');
    expect((await app.delete(`/clients/${client._id}`, ada)).status).toBe(409);
  });

  it('409 while a license is ACTIVE, among others that are not; 204 once it has expired', async () => {
    const active = await createLicense(app, ada, { duration: 1 });
    await addLicense(app, ada, active.project);
    const { expiresAt } = (await activate(app, active)).body;
    app.clock.set(new Date(Date.parse(expiresAt) - 1).toISOString());
    const soon = await logIn(app, ada);
    const rejected = await remove(active.project, soon);

    expect(rejected.status).toBe(409);
    expect(rejected.body).toMatchObject({
      message: 'Project has active licenses',
      code: 'PROJECT_HAS_ACTIVE_LICENSES',
    });
    expect(await validationOf(app, active)).toBe('active');
    expect((await app.get(`/projects/${active.project}`, soon)).status).toBe(200);

    app.clock.set(expiresAt);
    expect(await validationOf(app, active)).toBe('expired');
    expect((await remove(active.project, soon)).status).toBe(204);
    expect(await validationOf(app, active)).toBe('invalid');
    app.clock.set(START);
  });

  it('409 until its ACTIVE license is revoked', async () => {
    const license = await createLicense(app, ada);
    await activate(app, license);

    expect((await remove(license.project)).status).toBe(409);
    await app.post(`/licenses/${license._id}/revoke`, {}, ada);
    expect((await remove(license.project)).status).toBe(204);
  });

  it('deletes once where ten want it at once', async () => {
    const { project } = await createLicense(app, ada);
    const responses = await Promise.all(Array.from({ length: 10 }, () => remove(project)));

    expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)]);
  });

  it('400: rejects an id that is none', async () => {
    expect((await remove('nonsense')).status).toBe(400);
  });

  it('401: needs a token', async () => {
    const { project } = await createLicense(app, ada);

    expect((await app.delete(`/projects/${project}`)).status).toBe(401);
    expect((await app.get(`/projects/${project}`, ada)).status).toBe(200);
  });

  it("404: leaves another user's project alone, whether or not it has active licenses", async () => {
    const bob = await registerDeveloper(app);
    const [pending, active] = await Promise.all([createLicense(app, ada), createLicense(app, ada)]);
    await activate(app, active);
    for (const { project, _id } of [pending, active]) {
      const response = await remove(project, bob);

      expect(response.status).toBe(404);
      expect(response.body.message).toBe('Project not found');
      expect((await app.get(`/licenses/${_id}`, ada)).status).toBe(200);
    }
  });
});
