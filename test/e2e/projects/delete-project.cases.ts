import { START } from '../../fake-clock.js';
import {
  activate,
  addLicense,
  createClient,
  createLicense,
  createProject,
  logIn,
  validationOf,
} from '../developer.js';
import { expectError, expectResponse } from '../expect-response.js';
import { useApp, useDeveloper } from '../use-app.js';

describe('DELETE /projects/:id', () => {
  const app = useApp();
  const ada = useDeveloper(app);

  const remove = (_id: string, { token } = ada) => app.delete(`/projects/${_id}`, { token });

  it('204: deletes a project with its PENDING and REVOKED licenses and their events, and no other project', async () => {
    const client = await createClient(app, ada);
    const { project, license: pending } = await createProject(app, ada, client._id);
    const { license: kept } = await createProject(app, ada, client._id);
    const revoked = await addLicense(app, ada, project._id);
    await activate(app, revoked);
    await app.post(`/licenses/${revoked._id}/revoke`, {}, ada);
    // From here on validation may respond from its cache.
    expect(await validationOf(app, pending)).toBe('pending');
    expect(await validationOf(app, revoked)).toBe('revoked');
    const response = await remove(project._id);

    expectResponse(response, 204, undefined);
    for (const license of [pending, revoked]) {
      expect(await validationOf(app, license)).toBe('invalid');
      expect((await activate(app, license)).body.message).toBe('License not found');
      for (const path of [`/licenses/${license._id}`, `/licenses/${license._id}/events`]) {
        expectError(await app.get(path, ada), [404, 'LICENSE_NOT_FOUND']);
      }
    }
    expectError(await app.get(`/projects/${project._id}`, ada), [404, 'PROJECT_NOT_FOUND']);
    expectError(await remove(project._id), [404, 'PROJECT_NOT_FOUND']);
    const { data } = (await app.get(`/licenses?clientId=${client._id}`, ada)).body;
    expect(data).toEqual([kept]);
    expect((await remove(kept.project)).status).toBe(204);
    expect((await app.delete(`/clients/${client._id}`, ada)).status).toBe(204);
  });

  it('409 while a license is ACTIVE, among others that are not; 204 once it has expired', async () => {
    const active = await createLicense(app, ada, { duration: 1 });
    await addLicense(app, ada, active.project);
    const { expiresAt } = (await activate(app, active)).body;
    app.clock.set(new Date(Date.parse(expiresAt) - 1).toISOString());
    const soon = await logIn(app, ada);

    expectError(await remove(active.project, soon), [409, 'PROJECT_HAS_ACTIVE_LICENSES'], {
      message: 'Project has active licenses',
    });
    expect(await validationOf(app, active)).toBe('active');
    app.clock.set(expiresAt);
    expect(await validationOf(app, active)).toBe('expired');
    expect((await remove(active.project, soon)).status).toBe(204);
    expect(await validationOf(app, active)).toBe('invalid');
    app.clock.set(START);
  });
});
