import { START } from '../../fake-clock.js';
import {
  activate,
  createLicense,
  type CreatedLicense,
  LAPTOP,
  moveTo,
  NOBODYS,
  validationOf,
} from '../developer.js';
import { expectError, expectResponse } from '../expect-response.js';
import { useApp, useDeveloper } from '../use-app.js';

describe('POST /licenses/:id/renew', () => {
  const app = useApp();
  const ada = useDeveloper(app);

  afterEach(() => moveTo(app, ada, START));

  const renew = ({ _id }: { _id: string }, duration: unknown) =>
    app.post(`/licenses/${_id}/renew`, { duration }, ada);
  const read = async ({ _id }: { _id: string }) => (await app.get(`/licenses/${_id}`, ada)).body;
  /** A license that was activated at START. */
  const activated = async (duration: number): Promise<CreatedLicense> => {
    const license = await createLicense(app, ada, { duration });
    await activate(app, license, LAPTOP);
    return license;
  };

  it('200: extends an ACTIVE license from its end, changes nothing else, and shows in validation immediately', async () => {
    const license = await activated(6);
    const before = await read(license);
    await validationOf(app, license, LAPTOP);
    app.clock.advance({ seconds: 60 });
    const { status, body } = await renew(license, 3);
    const expiresAt = '2026-10-31T10:15:00.000Z';

    expectResponse({ status, body }, 200, {
      message: 'License renewed successfully',
      license: { ...before, expiresAt, updatedAt: '2026-01-31T10:16:00.000Z' },
    });
    expect(await read(license)).toEqual(body.license);
    const check = { key: license.key, fingerprint: LAPTOP };
    expect((await app.post('/validate', check)).body).toMatchObject({
      ...{ status: 'active', expiresAt, duration: 6 },
    });
    expect((await app.post('/validate/activate', check)).body.expiresAt).toBe(expiresAt);
  });

  it('200: begins a new term for an EXPIRED license, from the very moment of its end on', async () => {
    const license = await activated(1);
    await moveTo(app, ada, '2026-02-28T10:15:00.000Z');
    expect(await validationOf(app, license, LAPTOP)).toBe('expired');

    expect((await renew(license, 2)).body.license).toMatchObject({
      ...{ status: 'ACTIVE', duration: 1, expiresAt: '2026-04-28T10:15:00.000Z' },
      ...{ issuedAt: START, activatedAt: START },
    });
    expect(await validationOf(app, license, LAPTOP)).toBe('active');
    expect(await validationOf(app, license)).toBe('machine_mismatch');
  });

  it('409: rejects a PENDING and a REVOKED license', async () => {
    const [pending, revoked] = [await createLicense(app, ada), await activated(1)];
    await app.post(`/licenses/${revoked._id}/revoke`, {}, ada);
    const before = await read(revoked);

    expectError(await renew(pending, 1), [409, 'LICENSE_NOT_ACTIVATED'], {
      message: 'License has not been activated',
    });
    expectError(await renew(revoked, 1), [409, 'LICENSE_ALREADY_REVOKED']);
    expect([await read(pending), await read(revoked)]).toEqual([pending, before]);
  });

  it('409: ends a term after 120 months at most, and a new one may begin after it', async () => {
    const license = await activated(12);
    for (let i = 0; i < 8; i++) await renew(license, 12);
    await renew(license, 11);

    expectError(await renew(license, 2), [409, 'LICENSE_TERM_TOO_LONG']);
    expect((await renew(license, 1)).body.license.expiresAt).toBe('2036-01-31T10:15:00.000Z');
    expectError(await renew(license, 1), [409, 'LICENSE_TERM_TOO_LONG']);
    await moveTo(app, ada, '2036-01-31T10:15:00.000Z');
    expect((await renew(license, 12)).status).toBe(200);
  });

  it.each([undefined, 0, 13, 1.5, '6'])('400: says "Invalid duration" for %j', async (duration) => {
    const { status, body } = await renew({ _id: NOBODYS }, duration);

    expect([status, body.message]).toEqual([400, 'Invalid duration']);
  });
});
