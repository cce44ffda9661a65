import { claimsOf, LAPTOP } from '../developer.js';
import { expectError, expectInvalid } from '../responses.js';
import { useProject } from './use-project.js';

describe('The updates of a license', () => {
  const { app, ada, project, issue, issued, patch, post, read } = useProject({ perpetual: true });

  it('are counted from the first activation, by the plan or the request, and are in responses and certificates', async () => {
    const fields = { name: 'Forever', perpetual: true, updatesDays: 365, services: ['Domain'] };
    const { plan } = (await app.post('/plans', fields, ada)).body;
    expect(plan).toMatchObject({ perpetual: true, updatesDays: 365 });
    const license = await issued({ plan: plan._id, updatesDays: null });
    expect(license).toMatchObject({ updatesDays: 365, updatesUntil: null });
    expect(await issued({ plan: plan._id, updatesDays: 30 })).toMatchObject({ updatesDays: 30 });
    expect((await post(license, 'reissue')).body.license).toMatchObject({ updatesDays: 365 });
    const used = await issued({ plan: plan._id });
    const updatesUntil = '2027-01-31T10:15:00.000Z';
    const check = { fingerprint: LAPTOP, product: project._id, certificate: true };
    const { body: activated } = await app.post('/validate/activate', { key: used.key, ...check });
    expect(activated).toMatchObject({ updatesUntil, expiresAt: null });
    const { body: validated } = await app.post('/validate', { key: used.key, ...check });
    expect(validated).toMatchObject({ valid: true, updatesUntil });
    const { clientName: licensee } = used;
    for (const { certificate } of [activated, validated]) {
      const named = { updatesUntil, licensee, plan: 'Forever' };
      expect(claimsOf(certificate as string)).toMatchObject({ license: named });
    }
    expect(await read(used)).toMatchObject({ updatesUntil, updatesDays: null });
    const changed = (await patch(used, { plan: null })).body.license;
    expect(changed).toMatchObject({ plan: null, updatesUntil });
    expect((await post(used, 'reissue')).body.license).toMatchObject({ updatesUntil });
    const unlimited = await issued({});
    expect((await app.activate(unlimited, LAPTOP)).body).not.toHaveProperty('updatesUntil');
  });

  it('are changed, with an event, in one of two ways', async () => {
    const updatesUntil = '2026-12-24T00:00:00.000Z';
    const license = await issued({ updatesUntil });
    expect(license).toMatchObject({ updatesUntil, updatesDays: null });
    const change = async (changes: object) => (await patch(license, changes)).body.license;
    expect(await change({ updatesDays: 30 })).toMatchObject({
      ...{ updatesUntil: null, updatesDays: 30 },
    });
    expect((await app.eventsOf(ada, license))[0]!.data).toEqual({
      ...{ updatesUntil: [updatesUntil, null], updatesDays: [null, 30] },
    });
    await app.activate(license, LAPTOP);
    expect(await change({ updatesUntil })).toMatchObject({ updatesUntil });
    expect(await change({ updatesDays: 1 })).toMatchObject({
      ...{ updatesUntil: '2026-02-01T10:15:00.000Z', updatesDays: null },
    });
    expect(await change({ updatesUntil: null })).toMatchObject({ updatesUntil: null });
    for (const send of [issue, (body: object) => patch(license, body)]) {
      expectInvalid(await send({ updatesUntil, updatesDays: 1 }), 'updatesUntil');
      for (const updatesDays of [0, 3661, '7']) {
        expectInvalid(await send({ updatesDays }), 'updatesDays');
      }
    }
  });

  it('are renewed by days, for a perpetual license or together with a term', async () => {
    const license = await issued({ updatesDays: 10 });
    const renew = (body: object) => post(license, 'renew', body);
    expectError(await renew({ updatesDays: 365 }), 'LICENSE_NOT_ACTIVATED');
    await app.activate(license, LAPTOP);
    expect((await renew({ updatesDays: 18 })).body.license).toMatchObject({
      ...{ updatesUntil: '2026-02-28T10:15:00.000Z', perpetual: true },
    });
    expect((await app.eventsOf(ada, license))[0]).toMatchObject({
      type: 'license.renewed',
      data: {
        ...{ updatesDays: 18 },
        updatesUntil: ['2026-02-10T10:15:00.000Z', '2026-02-28T10:15:00.000Z'],
      },
    });
    const dated = { expiresAt: '2026-12-24T00:00:00.000Z' };
    await patch(license, dated);
    await app.moveTo(ada, '2026-03-01T00:00:00.000Z');
    const both = await renew({ updatesDays: 1, duration: 1 });
    expect(both.body.license).toMatchObject({
      ...{ updatesUntil: '2026-03-02T00:00:00.000Z', expiresAt: '2027-01-24T00:00:00.000Z' },
    });
    const { body } = await renew({ updatesDays: null });
    expect(body).toMatchObject({ code: 'INVALID_TERM' });
    await patch(license, { updatesUntil: null });
    expectError(await renew({ updatesDays: 1 }), 'UPDATES_UNLIMITED');
  });
});
