import { LICENSES } from '../../../src/licenses/license.js';
import { type AccountId, newObjectId } from '../../../src/shared/ids.js';
import { insert } from '../../../src/storage/changes.js';
import { WritableStore } from '../../../src/storage/writable-store.js';
import { aLicense } from '../../builders.js';
import { START } from '../../fake-clock.js';
import { DESKTOP, LAPTOP } from '../developer.js';
import { expectError, expectInvalid } from '../responses.js';
import { useProject } from './use-project.js';

describe('The terms of a license', () => {
  const { app, ada, project, issue, issued, patch, post, read } = useProject();

  it('are months, days or perpetual: exactly one of them', async () => {
    expect(await issued({ days: 14 })).toMatchObject({
      ...{ duration: null, days: 14, perpetual: false, expiresAt: '2026-02-14T10:15:00.000Z' },
    });
    const endless = await issued({ perpetual: true, duration: null });
    expect(endless).toMatchObject({
      ...{ duration: null, days: null, perpetual: true, expiresAt: null },
    });
    await app.activate(endless, LAPTOP);
    const { body } = await app.post('/validate', { key: endless.key, fingerprint: LAPTOP });
    expect(body).toMatchObject({ valid: true, duration: null, expiresAt: null });
    expect(await issued({ duration: 6, perpetual: false, days: null })).toMatchObject({
      ...{ duration: 6, days: null, perpetual: false },
    });
    for (const two of [
      { duration: 1, days: 1 },
      { duration: 1, perpetual: true },
      { days: 1, perpetual: true },
    ]) {
      expectError(await issue(two), 'INVALID_TERM');
    }
    for (const none of [{}, { perpetual: false }, { days: null, duration: null }]) {
      expectError(await issue(none), 'INVALID_TERM');
    }
    const { body: rejected } = await issue({});
    expect(rejected.details).toBe(
      'Send one of duration (1 to 12 months), days, perpetual, expiresAt or plan.',
    );
    const client = (await read(endless)).client as string;
    const first = { clientId: client, projectName: 'Shop', services: ['Hosting'] };
    const created = await app.post('/projects/createProject', first, ada);
    expectError(created, 'INVALID_DURATION');
    for (const days of [0, 3661, 1.5, '7']) expectInvalid(await issue({ days }), 'days');
    expectInvalid(await issue({ perpetual: 'yes' }), 'perpetual');
    app.clock.set('9999-12-31T00:00:00.000Z');
    expect(await app.validationOf(endless, LAPTOP)).toBe('active');
  });

  it('are renewed by either months or days; an invalid term changes nothing', async () => {
    const license = await issued({ duration: 1 });
    await app.activate(license, LAPTOP);
    const renewed = (await post(license, 'renew', { days: 3 })).body.license;
    expect(renewed).toMatchObject({
      ...{ duration: 1, days: null, expiresAt: '2026-03-03T10:15:00.000Z' },
    });
    for (const action of ['renew', 'reissue']) {
      expectError(await post(license, action, { duration: 13 }), 'INVALID_DURATION');
      const two = await post(license, action, { days: 3, duration: 1 });
      expectError(two, 'INVALID_TERM', {
        details: 'Send one of duration (1 to 12 months), days or perpetual.',
      });
    }
    expectError(await post(license, 'renew'), 'INVALID_TERM', {
      details: 'Send one of duration (1 to 12 months), days, perpetual or updatesDays.',
    });
    expectInvalid(await post(license, 'renew', { plan: project._id }), 'plan');
    expect(await read(license)).toEqual(renewed);
  });

  it('contain entitlements, metadata and an external id, within their limits', async () => {
    const metadata = {
      seller: 'Miriam',
      'a.b': '$x',
      $ref: 'y',
      $id: 'z',
      constructor: 'z',
      toString: 'x',
    };
    const license = await issued({
      ...{
        days: 14,
        entitlements: ['team', 'export.pdf', 'team'],
        metadata,
        externalId: ' re\u0301f-1 ',
      },
    });
    expect(license).toMatchObject({
      entitlements: ['export.pdf', 'team'],
      externalId: 'r\u00e9f-1',
    });
    expectError(await issue({ days: 1, externalId: 'r\u00e9f-1' }), 'LICENSE_EXISTS');
    expect(license.metadata).toEqual(metadata);
    expect(await read(license)).toEqual(license);
    const other = { prototype: 'x' };
    expect((await patch(license, { metadata: other })).body.license.metadata).toEqual(other);
    for (const text of ['two\nlines', 'two\u0085lines', 'a\ud800b']) {
      const rejection = await patch(license, { metadata: { note: text } });
      expect(rejection.body.errors.metadata).toEqual([expect.stringMatching(/no line breaks/)]);
    }
    await app.activate(license, LAPTOP);
    const { body } = await app.post('/validate', { key: license.key, fingerprint: LAPTOP });
    expect(body.entitlements).toEqual(['export.pdf', 'team']);
    expect(JSON.stringify(body)).not.toContain('Miriam');
    const names = (count: number, length = 3) =>
      Array.from({ length: count }, (_, index) => `${index}`.padStart(length, 'x'));
    const pairs = (count: number, value = '') =>
      Object.fromEntries(names(count).map((name) => [name, value]));
    for (const [field, ...wrong] of [
      ['entitlements', 'team', ['Team'], ['-x'], ['x'.repeat(65)], names(51), names(32, 64)],
      ['metadata', 'x', [], { '': 'x' }, { a: 1 }, { ['x'.repeat(65)]: '' }],
      ['metadata', { a: 'x'.repeat(501) }, pairs(51), pairs(20, 'x'.repeat(500))],
      ['externalId', '', 'x'.repeat(201), 5, 'a\u0000b', 'a\u200bb', 'a\u2028b'],
      ['maxMachines', 0, 1_000_001, '2'],
      ['leaseSeconds', 299, 86_401, '300'],
      ['release', 'nobody'],
    ] as [string, ...unknown[]][]) {
      for (const value of wrong) {
        expectInvalid(await issue({ days: 1, [field]: value }), field);
        expectInvalid(await patch(license, { [field]: value }), field);
      }
    }
    for (const field of ['maxMachines', 'release']) {
      expectInvalid(await patch(license, { [field]: null }), field);
    }
  });

  it('have an external id that is unique in the account, and can be reused only by a replacement', async () => {
    const license = await issued({ days: 14, externalId: 'order-1' });
    const other = await issued({ days: 14 });
    const taken = { licenseId: license._id };
    const another = await issue({ days: 1, externalId: 'order-1' });
    expectError(another, 'LICENSE_EXISTS', taken);
    expectError(await patch(other, { externalId: 'order-1' }), 'LICENSE_EXISTS', taken);
    expect((await patch(license, { externalId: 'order-1' })).status).toBe(200);
    const { body } = await post(license, 'reissue');
    expect([body.revoked.externalId, body.license.externalId]).toEqual([null, 'order-1']);
    expect((await patch(body.license, { externalId: null })).body.license.externalId).toBeNull();
    expect((await patch(other, { externalId: 'order-1' })).status).toBe(200);
  });

  it('return the license that already has the external id unchanged, if the request asks for that', async () => {
    const wanted = { days: 14, externalId: 'order-1', ifExists: 'return' };
    const first = await issue(wanted);
    expect(first.status).toBe(201);
    const again = await issue({ ...wanted, days: 30 });
    expect([again.status, again.body.license]).toEqual([200, first.body.license]);
    const body = { ...wanted, services: ['Hosting'] };
    const { project: another } = await app.createLicense(ada);
    const elsewhere = await app.post(`/projects/${another}/licenses`, body, ada);
    const taken = { licenseId: first.body.license._id as string };
    expectError(elsewhere, 'LICENSE_EXISTS', taken);
    expectInvalid(await issue({ days: 1, ifExists: 'return' }), 'ifExists');
    expectInvalid(await issue({ ...wanted, ifExists: 'yes' }), 'ifExists');
  });

  it('can reuse the external id of a license whose project was deleted, even while it is still stored', async () => {
    const gone = {
      owner: ada._id as AccountId,
      client: project._id,
      product: null,
      createdAt: new Date(START),
    };
    const store = app.nest.get(WritableStore, { strict: false });
    const leaveBehind = async (externalId: string) => {
      const license = aLicense({ _id: newObjectId(), ...gone }, { externalId });
      await store.commit([insert(LICENSES, license)]);
      return license._id;
    };
    const left = await Promise.all(['left-1', 'left-2', 'left-3'].map(leaveBehind));
    const license = await issued({ duration: 1, externalId: 'left-1' });
    expect(license.externalId).toBe('left-1');
    const { body } = await patch(license, { externalId: 'left-2' });
    expect(body.license.externalId).toBe('left-2');
    const created = await app.createLicense(ada, { externalId: 'left-3' });
    expect(created).toMatchObject({ externalId: 'left-3' });
    // They stay until their project's task removes them, each with its event.
    const stays = { _id: { oneOf: left }, externalId: null };
    expect(await store.count(LICENSES, stays)).toBe(3);
  });

  it('can be changed except for the duration, with an event, and never below the machines in use', async () => {
    const terms = { maxMachines: 2, entitlements: ['a'], metadata: { seller: 'Miriam' } };
    const license = await issued({ duration: 1, ...terms });
    for (const fingerprint of [DESKTOP, LAPTOP]) await app.activate(license, fingerprint);
    expectError(await patch(license, { maxMachines: 1 }), 'MACHINES_IN_USE');
    const before = await read(license);
    const changes = {
      ...{ maxMachines: 3, leaseSeconds: 600, release: 'self', entitlements: ['b'] },
      ...{ metadata: { a: 'b' }, services: ['Domain'] },
    };
    app.clock.advance({ seconds: 1 });
    const { body } = await patch(license, changes);
    expect(body).toEqual({
      message: 'License updated',
      license: { ...before, ...changes, updatedAt: app.clock.now().toISOString() },
    });
    expect(await read(license)).toEqual(body.license);
    expect((await app.eventsOf(ada, license))[0]!.data).toEqual({
      ...{ maxMachines: [2, 3], leaseSeconds: [null, 600], release: ['owner', 'self'] },
      ...{ entitlements: [['a'], ['b']], services: [['Hosting'], ['Domain']] },
      // Only the names.
      metadata: [['seller'], ['a']],
    });
    await patch(license, { metadata: { a: 'c' } });
    expect((await app.eventsOf(ada, license))[0]!.data).toEqual({ metadata: [['a'], ['a']] });
    const check = { key: license.key, fingerprint: LAPTOP };
    expect((await app.post('/validate', check)).body.leaseEndsAt).toBe('2026-01-31T10:25:01.000Z');
    const bound = { leaseSeconds: null, machinesCount: 2 };
    expect((await patch(license, { leaseSeconds: null })).body.license).toMatchObject(bound);
    expectError(await patch(license, { services: [] }), 'SERVICES_REQUIRED');
    expectInvalid(await patch(license, { duration: 3, key: 'x' }), 'duration', 'key');
    await post(license, 'revoke');
    const notes = { externalId: 'o-2', metadata: { a: 'd' } };
    const again = await patch(license, { ...notes, maxMachines: 9 });
    expectError(again, 'LICENSE_ALREADY_REVOKED');
    expect((await patch(license, notes)).body.license).toMatchObject({
      ...notes,
      status: 'REVOKED',
    });
    expect((await patch(license, { externalId: null })).body.license.externalId).toBeNull();
  });

  it('are suspended and resumed: nothing else changes, and repeats change nothing', async () => {
    const license = await app.createLicense(ada, { duration: 1 });
    await app.activate(license, LAPTOP);
    const before = await read(license);
    app.clock.advance({ seconds: 1 });
    const { body } = await post(license, 'suspend', { reason: 'Invoice unpaid' });
    const suspended = {
      ...{ ...before, status: 'SUSPENDED', suspendedReason: 'Invoice unpaid' },
      updatedAt: app.clock.now().toISOString(),
    };
    expect(body).toEqual({ message: 'License suspended', license: suspended });
    app.clock.advance({ seconds: 1 });
    expect((await post(license, 'suspend', { reason: 'Again' })).body).toEqual(body);
    const [{ data }] = (await app.get(`/licenses/${license._id}/events`, ada)).body.data;
    expect(data).toEqual({ status: ['ACTIVE', 'SUSPENDED'], reason: 'Invoice unpaid' });
    expect(await app.validationOf(license, LAPTOP)).toBe('suspended');
    expectError(await app.issueCertificate(ada, license), 'LICENSE_SUSPENDED');
    expect((await app.get('/licenses?status=SUSPENDED', ada)).body.data).toEqual([suspended]);
    const { body: resumed } = await post(license, 'resume');
    const again = { ...before, updatedAt: app.clock.now().toISOString() };
    expect(resumed).toEqual({ message: 'License resumed', license: again });
    app.clock.advance({ seconds: 1 });
    expect((await post(license, 'resume')).body).toEqual(resumed);
    expect(await app.validationOf(license, LAPTOP)).toBe('active');
  });
});
