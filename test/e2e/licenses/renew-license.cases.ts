import { ENGINES } from '../../engines.js';
import { START } from '../../fake-clock.js';
import { atOnce, statusesOf } from '../at-once.js';
import {
  activate,
  createLicense,
  type CreatedLicense,
  logIn,
  NOBODYS,
  validationOf,
} from '../developer.js';
import { useApp, useDeveloper } from '../use-app.js';

const LAPTOP = 'laptop-of-the-customer';

describe.each(ENGINES)('POST /licenses/:id/renew on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);

  afterEach(() => app.clock.set(START));

  const renew = ({ _id }: { _id: string }, duration: unknown, { token } = ada) =>
    app.post(`/licenses/${_id}/renew`, { duration }, { token });
  const read = async ({ _id }: { _id: string }) => (await app.get(`/licenses/${_id}`, ada)).body;
  /** A license that was activated at START. */
  const activated = async (duration: number): Promise<CreatedLicense> => {
    const license = await createLicense(app, ada, { duration });
    await activate(app, license, LAPTOP);
    return license;
  };

  describe('200', () => {
    it('extends an ACTIVE license from its end, and changes nothing else', async () => {
      const license = await activated(6);
      const before = await read(license);
      app.clock.advance({ seconds: 60 });
      const response = await renew(license, 3);

      expect(response.status).toBe(200);
      expect(response.body).toEqual({
        message: 'License renewed successfully',
        license: {
          ...before,
          expiresAt: '2026-10-31T10:15:00.000Z',
          updatedAt: '2026-01-31T10:16:00.000Z',
        },
      });
      expect(await read(license)).toEqual(response.body.license);
    });

    it('reaches the same end by several renewals as by one, clamped to the last day of the month', async () => {
      const license = await activated(1);
      const ends = [];
      for (let i = 0; i < 3; i++) ends.push((await renew(license, 1)).body.license.expiresAt);
      const other = await activated(1);

      expect(ends.map((end: string) => end.slice(0, 10))).toEqual([
        '2026-03-31',
        '2026-04-30',
        '2026-05-31',
      ]);
      expect((await renew(other, 3)).body.license.expiresAt).toBe(ends[2]);
    });

    it('shows in validation and activation immediately', async () => {
      const license = await activated(1);
      await validationOf(app, license, LAPTOP);
      const { expiresAt } = (await renew(license, 1)).body.license;

      expect((await app.post('/validate', { key: license.key, fingerprint: LAPTOP })).body).toEqual(
        expect.objectContaining({ status: 'active', expiresAt, duration: 1 }),
      );
      expect((await activate(app, license, LAPTOP)).body.expiresAt).toBe(expiresAt);
    });

    it.each([
      ['at the very moment of its end', '2026-02-28T10:15:00.000Z', '2026-04-28T10:15:00.000Z'],
      ['years later', '2028-02-29T12:00:00.000Z', '2028-04-29T12:00:00.000Z'],
    ])('begins a new term for an EXPIRED license: %s', async (_case, now, expiresAt) => {
      const license = await activated(1);
      app.clock.set(now);
      const later = await logIn(app, ada);
      expect(await validationOf(app, license, LAPTOP)).toBe('expired');
      const response = await renew(license, 2, later);

      expect(response.status).toBe(200);
      expect(response.body.license).toMatchObject({
        status: 'ACTIVE',
        duration: 1,
        issuedAt: START,
        activatedAt: START,
        expiresAt,
      });
      expect(await validationOf(app, license, LAPTOP)).toBe('active');
      expect(await validationOf(app, license)).toBe('machine_mismatch');
      expect((await activate(app, license, LAPTOP)).status).toBe(200);
      expect((await renew(license, 1, later)).body.license.expiresAt).not.toBe(expiresAt);
    });

    it('counts each of twenty concurrent renewals', async () => {
      const license = await activated(4);
      // Opens the connections, so that none comes late for that.
      await atOnce(20, () => read(license));
      const responses = await atOnce(20, () => renew(license, 1));

      expect(statusesOf(responses)).toEqual(Array(20).fill(200));
      expect((await read(license)).expiresAt).toBe('2028-01-31T10:15:00.000Z');
    });
  });

  describe('409', () => {
    it('rejects a PENDING license', async () => {
      const license = await createLicense(app, ada);
      const response = await renew(license, 1);

      expect(response.status).toBe(409);
      expect(response.body).toMatchObject({
        message: 'License has not been activated',
        code: 'LICENSE_NOT_ACTIVATED',
      });
      expect(await read(license)).toEqual(license);
    });

    it('leaves a REVOKED license revoked, whether or not it was activated', async () => {
      for (const license of [await createLicense(app, ada), await activated(1)]) {
        await app.post(`/licenses/${license._id}/revoke`, {}, ada);
        const response = await renew(license, 1);

        expect(response.status).toBe(409);
        expect(response.body.code).toBe('LICENSE_ALREADY_REVOKED');
        expect((await read(license)).status).toBe('REVOKED');
        expect(await validationOf(app, license, LAPTOP)).toBe('revoked');
      }
    });

    it('ends a term after 120 months at most, for concurrent renewals, too', async () => {
      const license = await activated(12);
      for (let i = 0; i < 8; i++) await renew(license, 12);
      const responses = await Promise.all([5, 5, 5, 5].map((months) => renew(license, months)));
      const rejected = responses.find(({ status }) => status === 409);

      expect(statusesOf(responses).sort()).toEqual([200, 200, 409, 409]);
      expect(rejected?.body.code).toBe('LICENSE_TERM_TOO_LONG');
      expect((await renew(license, 3)).status).toBe(409);
      expect((await renew(license, 2)).status).toBe(200);
      expect((await read(license)).expiresAt).toBe('2036-01-31T10:15:00.000Z');
      expect((await renew(license, 1)).status).toBe(409);

      app.clock.set('2036-01-31T10:15:00.000Z');
      expect((await renew(license, 12, await logIn(app, ada))).status).toBe(200);
    });
  });

  it.each([undefined, null, 0, 13, -1, 1.5, '6', [6], { $inc: 1 }, true])(
    '400: says "Invalid duration" for %j',
    async (duration) => {
      const response = await renew({ _id: NOBODYS }, duration);

      expect(response.status).toBe(400);
      expect(response.body.message).toBe('Invalid duration');
    },
  );
});
