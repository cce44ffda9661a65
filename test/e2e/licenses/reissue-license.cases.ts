import { ENGINES } from '../../engines.js';
import { START } from '../../fake-clock.js';
import { atOnce, statusesOf } from '../at-once.js';
import { activate, createLicense, logIn, validationOf } from '../developer.js';
import { useApp, useDeveloper } from '../use-app.js';

const LAPTOP = 'laptop-of-the-customer';
const DESKTOP = 'desktop-of-the-customer';

describe.each(ENGINES)('POST /licenses/:id/reissue on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);

  afterEach(() => app.clock.set(START));

  const reissue = ({ _id }: { _id: string }, body: object = {}, { token } = ada) =>
    app.post(`/licenses/${_id}/reissue`, body, { token });
  const read = async ({ _id }: { _id: string }) => (await app.get(`/licenses/${_id}`, ada)).body;

  describe('201', () => {
    it('revokes the license and returns it with its replacement', async () => {
      const old = await createLicense(app, ada, { duration: 3, services: ['Domain', 'Hosting'] });
      await activate(app, old, LAPTOP);
      app.clock.advance({ seconds: 60 });
      const before = await read(old);
      const response = await reissue(old);
      const now = app.clock.now().toISOString();
      const { revoked, license } = response.body;

      expect(response.status).toBe(201);
      expect(response.body.message).toBe('License reissued successfully');
      expect(revoked).toEqual({
        ...before,
        status: 'REVOKED',
        revokedAt: now,
        revokedReason: 'Reissued',
        updatedAt: now,
      });
      expect(license).toEqual({
        ...old,
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        key: expect.stringMatching(new RegExp(`^LIC-${old.project}(-[A-Z0-9]{4}){3}$`)),
        replaces: old._id,
        issuedAt: now,
        expiresAt: '2026-04-30T10:16:00.000Z',
        createdAt: now,
        updatedAt: now,
      });
      expect(license.key).not.toBe(old.key);
      expect([await read(old), await read(license)]).toEqual([revoked, license]);
    });

    it('ends the old key at once, and the new one activates on another machine', async () => {
      const old = await createLicense(app, ada);
      await activate(app, old, LAPTOP);
      expect(await validationOf(app, old, LAPTOP)).toBe('active');
      const { license } = (await reissue(old)).body;

      expect(await validationOf(app, old, LAPTOP)).toBe('revoked');
      expect((await activate(app, old, LAPTOP)).body.message).toBe('License has been revoked');
      expect(await validationOf(app, license, DESKTOP)).toBe('pending');
      expect((await activate(app, license, DESKTOP)).status).toBe(200);
      expect(await validationOf(app, license, DESKTOP)).toBe('active');
      expect(await validationOf(app, license, LAPTOP)).toBe('machine_mismatch');
    });

    it.each([
      ['keeps the duration where none is given', undefined, 3],
      ['keeps the duration for null', null, 3],
      ['takes another duration', 12, 12],
    ])('%s', async (_case, duration, months) => {
      const old = await createLicense(app, ada, { duration: 3 });
      const { license } = (await reissue(old, { duration })).body;

      expect(license.duration).toBe(months);
    });

    it('needs no body', async () => {
      const old = await createLicense(app, ada);

      expect((await app.send('POST', `/licenses/${old._id}/reissue`, undefined, ada)).status).toBe(
        201,
      );
    });

    it('replaces an EXPIRED license, and then its replacement', async () => {
      const old = await createLicense(app, ada, { duration: 1 });
      await activate(app, old);
      app.clock.set('2026-03-01T00:00:00.000Z');
      const later = await logIn(app, ada);
      const first = (await reissue(old, {}, later)).body.license;
      const second = (await reissue(first, {}, later)).body.license;

      expect([first.replaces, second.replaces]).toEqual([old._id, first._id]);
      expect(second.status).toBe('PENDING');
    });

    it('creates one replacement for ten concurrent requests', async () => {
      const old = await createLicense(app, ada);
      const responses = await atOnce(10, () => reissue(old));
      const { body } = await app.get(`/licenses?projectId=${old.project}`, ada);

      expect(statusesOf(responses).sort()).toEqual([201, ...Array(9).fill(409)]);
      expect(body.data.map(({ status }: { status: string }) => status).sort()).toEqual([
        'PENDING',
        'REVOKED',
      ]);
    });
  });

  it.each([0, 13, -1, 1.5, '6', [6], { $gt: 0 }, true])(
    '400: says "Invalid duration" for %j, and revokes nothing',
    async (duration) => {
      const old = await createLicense(app, ada);
      const response = await reissue(old, { duration });

      expect(response.status).toBe(400);
      expect(response.body.message).toBe('Invalid duration');
      expect(await read(old)).toEqual(old);
    },
  );

  it('409: a REVOKED license gets no replacement', async () => {
    const old = await createLicense(app, ada);
    await app.post(`/licenses/${old._id}/revoke`, {}, ada);
    const response = await reissue(old);
    const { body } = await app.get(`/licenses?projectId=${old.project}`, ada);

    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({
      message: 'License has already been revoked',
      code: 'LICENSE_ALREADY_REVOKED',
    });
    expect(body.data).toHaveLength(1);
  });
});
