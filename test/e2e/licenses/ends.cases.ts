import { LAPTOP } from '../developer.js';
import { expectError, expectInvalid } from '../responses.js';
import { useProject } from './use-project.js';

describe('The expiry date of a license', () => {
  const { app, ada, project, issue, issued, patch, post, read } = useProject();

  it('can be fixed: no activation moves it, and it replaces the term of a plan', async () => {
    const fields = { name: 'Year', duration: 12, services: ['Domain'] };
    const plan = (await app.post('/plans', fields, ada)).body.plan._id as string;
    const expiresAt = '2026-03-15T12:00:00.000Z';
    const license = await issued({ expiresAt, duration: null, plan });
    const isFixed = { endIsFixed: true, startsOnActivation: false, expiresAt };
    expect(license).toMatchObject({
      ...{ ...isFixed, status: 'PENDING', duration: null, days: null, perpetual: false, plan },
    });
    expect(await issued({ days: 14 })).toMatchObject({
      ...{ endIsFixed: false, startsOnActivation: true },
    });
    app.clock.advance({ seconds: 600 });
    await app.activate(license, LAPTOP);
    expect(await read(license)).toMatchObject({ ...isFixed, status: 'ACTIVE' });
    const batch = { expiresAt, count: 2, services: ['Domain'] };
    const { body } = await app.post(`/projects/${project._id}/licenses/batch`, batch, ada);
    expect(body.licenses).toMatchObject([isFixed, isFixed]);
    const { client } = license;
    const first = { clientId: client, projectName: 'Shop', services: ['Domain'], expiresAt };
    const created = (await app.post('/projects/createProject', first, ada)).body.license;
    expect(created).toMatchObject(isFixed);
    expect((await post(license, 'reissue')).body.license).toMatchObject({
      ...{ ...isFixed, status: 'PENDING', duration: null },
    });
    for (const other of [{ duration: 1 }, { days: 1 }, { perpetual: true }]) {
      expectError(await issue({ expiresAt, ...other }), 'INVALID_TERM');
    }
    for (const wrong of ['2026-03-15', '2026-02-31T00:00:00.000Z', 5]) {
      expectInvalid(await issue({ expiresAt: wrong }), 'expiresAt');
    }
    const tooLate = '2036-02-12T00:00:00.000Z';
    expectError(await issue({ expiresAt: tooLate }), 'LICENSE_TERM_TOO_LONG');
  });

  it('expires a license that was never activated, until it is renewed', async () => {
    const license = await issued({ expiresAt: '2026-02-10T00:00:00.000Z' });
    const pending = await issued({ duration: 1 });
    const past = await issued({ expiresAt: '2020-01-01T00:00:00.000Z' });
    const idsOf = async (query: string) =>
      (await app.get(`/licenses?order=asc&projectId=${project._id}&${query}`, ada)).body.data.map(
        ({ _id }: { _id: string }) => _id,
      ) as string[];
    expect((await idsOf('status=PENDING')).slice(1)).toEqual([license._id, pending._id]);
    expect(past.status).toBe('EXPIRED');
    await app.moveTo(ada, '2026-02-10T00:00:00.000Z');
    expect((await read(license)).status).toBe('EXPIRED');
    expect((await idsOf('status=PENDING')).slice(1)).toEqual([pending._id]);
    for (const query of ['status=EXPIRED', 'expiresBefore=2026-02-11T00:00:00Z']) {
      expect(await idsOf(query)).toEqual([license._id, past._id]);
    }
    const { licensesByStatus } = (await app.get('/dashboard/summary', ada)).body;
    expect(licensesByStatus).toMatchObject({ PENDING: 2, ACTIVE: 0, EXPIRED: 2 });
    const csv = (await app.get('/licenses.csv?status=EXPIRED', ada)).body as unknown as string;
    expect(csv.split('\r\n')).toHaveLength(4);
    expectError(await app.activate(license, LAPTOP), 'LICENSE_EXPIRED');
    expect(await app.validationOf(license, LAPTOP)).toBe('expired');
    expectError(await post(pending, 'renew', { days: 3 }), 'LICENSE_NOT_ACTIVATED');
    const renewed = (await post(license, 'renew', { duration: 1 })).body.license;
    expect(renewed).toMatchObject({
      ...{ status: 'PENDING', endIsFixed: true, expiresAt: '2026-03-10T00:00:00.000Z' },
    });
    expect((await app.activate(license, LAPTOP)).body.expiresAt).toBe(renewed.expiresAt);
  });

  it('is moved by a change of the license: later, earlier, into the past, or to never', async () => {
    const license = await issued({ duration: 6 });
    await app.activate(license, LAPTOP);
    const moveTo = async (expiresAt: string | null) =>
      (await patch(license, { expiresAt })).body.license;
    const end = '2026-12-24T00:00:00.000Z';
    expect(await moveTo(end)).toMatchObject({
      ...{ status: 'ACTIVE', expiresAt: end, endIsFixed: true, duration: 6 },
    });
    expect((await app.eventsOf(ada, license))[0]).toMatchObject({
      type: 'license.updated',
      data: { expiresAt: ['2026-07-31T10:15:00.000Z', end] },
    });
    const renewed = (await post(license, 'renew', { duration: 2 })).body.license;
    expect(renewed).toMatchObject({ expiresAt: '2027-02-24T00:00:00.000Z', duration: 6 });
    const endless = { perpetual: true, expiresAt: null, endIsFixed: false, duration: 6 };
    expect(await moveTo(null)).toMatchObject(endless);
    expectError(await post(license, 'renew', { days: 1 }), 'LICENSE_IS_PERPETUAL');
    const over = '2026-01-01T00:00:00.000Z';
    expect(await moveTo(over)).toMatchObject({ status: 'EXPIRED', expiresAt: over });
    expect(await app.eventsOf(ada, license)).toMatchObject([
      { type: 'license.expired', data: { expiresAt: over } },
      { type: 'license.updated', data: { expiresAt: [null, over] } },
      ...[{}, {}, {}, {}, {}],
    ]);
    expect(await app.validationOf(license, LAPTOP)).toBe('expired');
    const unused = await issued({ duration: 6 });
    expect((await patch(unused, { expiresAt: null })).body.license).toMatchObject(endless);
    await app.activate(unused, LAPTOP);
    expect(await read(unused)).toMatchObject({ ...endless, status: 'ACTIVE' });
    const tooLate = { expiresAt: '2036-02-12T00:00:00.000Z' };
    expectError(await patch(license, tooLate), 'LICENSE_TERM_TOO_LONG');
    await post(license, 'revoke');
    const again = await patch(license, { expiresAt: end });
    expectError(again, 'LICENSE_ALREADY_REVOKED');
  });

  it('is moved earlier only by an API key with licenses:revoke', async () => {
    const license = await issued({ duration: 6 });
    const keyWith = async (...scopes: string[]) => app.addApiKey(ada, scopes);
    const changeBy = (key: { token: string }, expiresAt: string | null) =>
      app.patch(`/licenses/${license._id}`, { expiresAt }, key);
    const writer = await keyWith('licenses:write');
    const lacking = { scope: 'licenses:revoke' };
    expect((await changeBy(writer, '2026-12-24T00:00:00Z')).status).toBe(200);
    const earlier = await changeBy(writer, '2026-12-23T00:00:00Z');
    expectError(earlier, 'INSUFFICIENT_SCOPE', lacking);
    expect((await changeBy(writer, null)).status).toBe(200);
    const ending = await changeBy(writer, '2030-01-01T00:00:00Z');
    expectError(ending, 'INSUFFICIENT_SCOPE', lacking);
    const both = await keyWith('licenses:write', 'licenses:revoke');
    expect((await changeBy(both, '2026-12-23T00:00:00Z')).status).toBe(200);
  });
});
