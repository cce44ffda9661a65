import { ENGINES } from '../../engines.js';
import { START } from '../../fake-clock.js';
import { createLicense, type CreatedLicense, logIn } from '../developer.js';
import { useApp, useDeveloper } from '../use-app.js';
import { issueCertificate, LAPTOP } from './issue-certificate.js';

describe.each(ENGINES)('The reissue of a license with certificates, on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);

  const at = async (time: string) => {
    app.clock.set(time);
    Object.assign(ada, await logIn(app, ada));
  };
  beforeEach(() => at(START));

  const issue = (license: CreatedLicense, fields?: object) =>
    issueCertificate(app, ada, license, fields);
  const reissue = ({ _id }: { _id: string }, headers: Record<string, string> = {}) =>
    app.post(`/licenses/${_id}/reissue`, {}, { token: ada.token, headers });

  it('returns the end of the latest certificate while one is valid, and null from then on', async () => {
    const end = '2026-03-02T10:15:00.000Z';
    for (const [time, told] of [
      [START, end],
      ['2026-03-02T10:14:59.999Z', end],
      [end, null],
    ] as const) {
      await at(START);
      const license = await createLicense(app, ada);
      for (const days of [1, 30, 2]) await issue(license, { days });
      await at(time);
      const { status, body } = await reissue(license);

      expect(status).toBe(201);
      expect([time, body.certificateExpiresAt]).toEqual([time, told]);
    }
  });

  it('returns null for a license whose only certificates were requested by its software', async () => {
    const license = await createLicense(app, ada);
    const { key, project } = license;
    const check = { key, fingerprint: LAPTOP, product: project, certificate: true };
    expect((await app.post('/validate/activate', check)).body.certificate).toBeDefined();
    const { body } = await reissue(license);

    expect(body.certificateExpiresAt).toBeNull();
  });

  it('returns the end for the reissued license alone, not for the one that it replaced', async () => {
    const license = await createLicense(app, ada);
    await issue(license);
    const { body: first } = await reissue(license);
    const { body: second } = await reissue(first.license as CreatedLicense);

    expect(first.certificateExpiresAt).toBe('2026-03-02T10:15:00.000Z');
    expect(second.certificateExpiresAt).toBeNull();
  });

  it('returns the same for a repeat after its project was deleted', async () => {
    const headers = { 'Idempotency-Key': 'reissue-before-the-deletion' };
    const license = await createLicense(app, ada);
    await issue(license);
    const first = await reissue(license, headers);
    const deletion = await app.delete(`/projects/${license.project}`, ada);

    expect(deletion.status).toBe(204);
    expect((await reissue(license, headers)).body).toEqual(first.body);
  });

  it('returns the same for a repeat after the certificate has ended', async () => {
    const headers = { 'Idempotency-Key': 'reissue-of-a-certified-license' };
    const license = await createLicense(app, ada);
    await issue(license, { days: 1 });
    await at('2026-02-01T10:14:59.000Z');
    const first = await reissue(license, headers);
    app.clock.advance({ seconds: 1 });

    expect(first.body.certificateExpiresAt).toBe('2026-02-01T10:15:00.000Z');
    expect((await reissue(license, headers)).body).toEqual(first.body);
  });
});
