import { LAPTOP } from '../developer.js';
import { expectError, expectInvalid } from '../expect-response.js';
import { useDeveloper } from '../use-app.js';

describe('All licenses of a project or a client', () => {
  const [app, ada] = useDeveloper();

  /** Waits for the worker of a project, which goes on beside requests. */
  const until = async (holds: () => Promise<boolean>) => {
    for (let times = 0; times < 1_000; times++) if (await holds()) return;
    throw new Error('It does not hold');
  };

  it('are revoked at once: 202, then each with its event', async () => {
    const license = await app.createLicense(ada);
    const other = await app.addLicense(ada, license.project);
    await app.activate(license, LAPTOP);
    const path = `/projects/${license.project}/licenses/revoke`;
    const headers = { 'Idempotency-Key': 'revocation-of-all' };
    const send = () => app.post(path, { reason: ' Sold ' }, { token: ada.token, headers });
    const { status, body } = await send();
    expect([status, body]).toEqual([202, { message: 'Licenses are being revoked' }]);
    await until(async () => (await app.validationOf(other)) === 'revoked');
    for (const one of [license, other]) {
      const read = (await app.get(`/licenses/${one._id}`, ada)).body;
      expect(read).toMatchObject({ status: 'REVOKED', revokedReason: 'Sold' });
      expect((await app.eventsOf(ada, one))[0]).toMatchObject({
        ...{ type: 'license.revoked', data: { reason: 'Sold' } },
        actor: { type: 'user', id: ada._id },
      });
    }
    app.clock.advance({ seconds: 1 });
    const later = await app.addLicense(ada, license.project);
    expect((await send()).body).toEqual(body);
    expect(await app.validationOf(later)).toBe('pending');
    expectInvalid(await app.post(path, { reason: 5 }, ada), 'reason');
  });

  it('are deleted with their project, or their client and its projects, where that is said, and count no more', async () => {
    const client = await app.createClient(ada);
    const licenses = [];
    for (let i = 0; i < 3; i++) {
      const { license } = await app.createProject(ada, client._id);
      await app.activate(license, LAPTOP);
      licenses.push(license);
    }
    const totals = async () => {
      const { clientsCount, projectsCount, licensesCount } = (await app.get('/dashboard', ada))
        .body;
      return [clientsCount, projectsCount, licensesCount];
    };
    const [clients, projects, all] = (await totals()) as [number, number, number];
    const project = `/projects/${licenses[0]!.project}`;
    const active: [number, string] = [409, 'PROJECT_HAS_ACTIVE_LICENSES'];
    expectError(await app.delete(`${project}?withLicenses=false`, ada), active);
    expectInvalid(await app.delete(`${project}?withLicenses=yes`, ada), 'withLicenses');
    expect((await app.delete(`${project}?withLicenses=true`, ada)).status).toBe(204);
    expectError(await app.delete(`/clients/${client._id}`, ada), [409, 'CLIENT_HAS_PROJECTS']);
    expect((await app.delete(`/clients/${client._id}?withLicenses=true`, ada)).status).toBe(204);
    for (const license of licenses) {
      expect(await app.validationOf(license, LAPTOP)).toBe('invalid');
    }
    expect(await totals()).toEqual([clients - 1, projects - 3, all - 3]);
    expectError(await app.get(`/clients/${client._id}`, ada), [404, 'CLIENT_NOT_FOUND']);
  });
});
