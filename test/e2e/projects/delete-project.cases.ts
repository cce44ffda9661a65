import { ENGINES } from '../../engines.js';
import { START } from '../../fake-clock.js';
import { atOnce, statusesOf } from '../at-once.js';
import {
  activate,
  addLicense,
  createClient,
  createLicense,
  createProject,
  logIn,
  validationOf,
} from '../developer.js';
import { useApp, useDeveloper } from '../use-app.js';

describe.each(ENGINES)('DELETE /projects/:id on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);

  const remove = (_id: string, { token } = ada) => app.delete(`/projects/${_id}`, { token });

  it('204: deletes a project with its PENDING and REVOKED licenses and what happened to them', async () => {
    const client = await createClient(app, ada);
    const { project, license: pending } = await createProject(app, ada, client._id);
    const revoked = await addLicense(app, ada, project._id);
    await activate(app, revoked);
    await app.post(`/licenses/${revoked._id}/revoke`, {}, ada);
    // From here on validation may respond from its cache.
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

  it('deletes a project once for ten concurrent requests', async () => {
    const { project } = await createLicense(app, ada);
    const responses = await atOnce(10, () => remove(project));

    expect(statusesOf(responses).sort()).toEqual([204, ...Array(9).fill(404)]);
  });
});
