import { LICENSES } from '../../../src/licenses/license.js';
import type { AccountId } from '../../../src/shared/ids/account-id.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { insert } from '../../../src/storage/changes.js';
import { Store } from '../../../src/storage/store.js';
import { aLicense } from '../../builders/license.builder.js';
import { START } from '../../fake-clock.js';
import { LAPTOP } from '../developer.js';
import { expectError, expectInvalid } from '../expect-response.js';
import { useDeveloper } from '../use-app.js';

const SERVICES = { services: ['Hosting'] };

describe('The terms of a license', () => {
  const [app, ada] = useDeveloper();
  let project: string;

  beforeEach(async () => {
    ({ project } = await app.createLicense(ada));
  });

  const issue = (terms: object) => app.post(`/projects/${project}/licenses`, terms, ada);
  const issued = async (terms: object) => (await issue({ ...SERVICES, ...terms })).body.license;
  const patch = ({ _id }: { _id: string }, changes: object) =>
    app.patch(`/licenses/${_id}`, changes, ada);
  const post = ({ _id }: { _id: string }, action: string, body: object = {}) =>
    app.post(`/licenses/${_id}/${action}`, body, ada);
  const read = async ({ _id }: { _id: string }) => (await app.get(`/licenses/${_id}`, ada)).body;

  it('are months, days or no end: one of them alone', async () => {
    expect(await issued({ days: 14 })).toMatchObject({
      ...{ duration: null, days: 14, perpetual: false, expiresAt: '2026-02-14T10:15:00.000Z' },
    });
    expect(await issued({ perpetual: true, duration: null })).toMatchObject({
      ...{ duration: null, days: null, perpetual: true, expiresAt: null },
    });
    expect(await issued({ duration: 6, perpetual: false, days: null })).toMatchObject({
      ...{ duration: 6, days: null, perpetual: false },
    });
    for (const two of [
      { duration: 1, days: 1 },
      { duration: 1, perpetual: true },
      { days: 1, perpetual: true },
    ]) {
      expectError(await issue({ ...SERVICES, ...two }), [400, 'INVALID_TERM']);
    }
    for (const none of [{}, { perpetual: false }, { days: null, duration: null }]) {
      expectError(await issue({ ...SERVICES, ...none }), [400, 'INVALID_DURATION']);
    }
    for (const days of [0, 3661, 1.5, '7'])
      expectInvalid(await issue({ ...SERVICES, days }), 'days');
    expectInvalid(await issue({ ...SERVICES, perpetual: 'yes' }), 'perpetual');
  });

  it('without an end: the license never expires, is the last to do so in lists, and is matched by no end', async () => {
    const [endless, short] = [await issued({ perpetual: true }), await issued({ days: 1 })];
    for (const one of [endless, short]) await app.activate(one, LAPTOP);
    const { body } = await app.post('/validate', { key: endless.key, fingerprint: LAPTOP });
    expect(body).toMatchObject({ valid: true, duration: null, expiresAt: null });
    const list = async (query: string) =>
      (await app.get(`/licenses?projectId=${project}&${query}`, ada)).body.data.map(
        ({ _id }: { _id: string }) => _id,
      );
    expect(await list('status=ACTIVE&sort=expiresAt&order=asc')).toEqual([short._id, endless._id]);
    expect(await list('expiresBefore=9999-12-31T23:59:59.999Z')).toEqual([short._id]);
    app.clock.set('2040-01-01T00:00:00.000Z');
    expect(await app.validationOf(endless, LAPTOP)).toBe('active');
    await app.moveTo(ada, START);
    expectError(await post(endless, 'renew', { days: 1 }), [409, 'LICENSE_IS_PERPETUAL']);
  });

  it('are renewed by days, or without an end, at most 3,660 days after their start', async () => {
    const license = await issued({ duration: 1 });
    await app.activate(license, LAPTOP);
    expect((await post(license, 'renew', { days: 3 })).body.license).toMatchObject({
      ...{ duration: 1, days: null, expiresAt: '2026-03-03T10:15:00.000Z' },
    });
    expectError(await post(license, 'renew', { days: 3640 }), [409, 'LICENSE_TERM_TOO_LONG']);
    expectError(await post(license, 'renew', { days: 3, duration: 1 }), [400, 'INVALID_TERM']);
    expectError(await post(license, 'renew', { plan: project }), [400, 'INVALID_DURATION']);
    expect((await post(license, 'renew', { perpetual: true })).body.license).toMatchObject({
      ...{ duration: null, days: null, perpetual: true, expiresAt: null, status: 'ACTIVE' },
    });
  });

  it('hold entitlements, metadata and an external id, within their bounds', async () => {
    const metadata = {
      seller: 'Miriam',
      'a.b': '$x',
      $ref: 'y',
      $id: 'z',
      constructor: 'z',
      toString: 'x',
    };
    const license = await issued({
      ...{ days: 14, entitlements: ['team', 'export.pdf', 'team'], metadata, externalId: ' o-1 ' },
    });
    expect(license).toMatchObject({ entitlements: ['export.pdf', 'team'], externalId: 'o-1' });
    expect(license.metadata).toEqual(metadata);
    expect(await read(license)).toEqual(license);
    expect((await patch(license, { metadata: { prototype: 'x' } })).body.license.metadata).toEqual({
      prototype: 'x',
    });
    await app.activate(license, LAPTOP);
    const { body } = await app.post('/validate', { key: license.key, fingerprint: LAPTOP });
    expect(body.entitlements).toEqual(['export.pdf', 'team']);
    expect(JSON.stringify(body)).not.toContain('Miriam');
    for (const [field, ...wrong] of [
      [
        'entitlements',
        'team',
        ['Team'],
        ['-x'],
        ['x'.repeat(65)],
        Array(51)
          .fill(0)
          .map((_, i) => `e${i}`),
      ],
      ['entitlements', Array.from({ length: 32 }, (_, i) => `${i}`.padStart(64, 'x'))],
      [
        'metadata',
        'x',
        [],
        { '': 'x' },
        { a: 1 },
        { a: 'x'.repeat(501) },
        { ['x'.repeat(65)]: '' },
      ],
      ['metadata', Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`n${i}`, '']))],
      [
        'metadata',
        Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`n${i}`, 'x'.repeat(500)])),
      ],
      ['externalId', '', 'x'.repeat(201), 5, 'a\u0000b', 'a\u200bb', 'a\u2028b'],
      ['maxMachines', 0, 1001, null, '2'],
      ['leaseSeconds', 299, 86_401, '300'],
      ['release', 'nobody', null],
    ] as [string, ...unknown[]][]) {
      for (const value of wrong) {
        expectInvalid(await issue({ ...SERVICES, days: 1, [field]: value }), field);
        expectInvalid(await patch(license, { [field]: value }), field);
      }
    }
  });

  it('are found by an external id that is unique in the account, and free again for a replacement alone', async () => {
    const license = await issued({ days: 14, externalId: 'order-1' });
    const other = await issued({ days: 14 });
    const taken = { licenseId: license._id };
    expectError(
      await issue({ ...SERVICES, days: 1, externalId: 'order-1' }),
      [409, 'LICENSE_EXISTS'],
      taken,
    );
    expectError(await patch(other, { externalId: 'order-1' }), [409, 'LICENSE_EXISTS'], taken);
    expect((await patch(license, { externalId: 'order-1' })).status).toBe(200);
    const { body } = await post(license, 'reissue');
    expect([body.revoked.externalId, body.license.externalId]).toEqual([null, 'order-1']);
    expect((await patch(body.license, { externalId: null })).body.license.externalId).toBeNull();
    expect((await patch(other, { externalId: 'order-1' })).status).toBe(200);
  });

  it('get the external id of a license whose project was deleted, which may still be stored', async () => {
    const gone = {
      owner: ada._id as AccountId,
      client: project,
      product: null,
      createdAt: new Date(START),
    };
    const store = app.nest.get(Store, { strict: false });
    const leaveBehind = (externalId: string) =>
      store.commit([insert(LICENSES, aLicense({ _id: newObjectId(), ...gone }, { externalId }))]);
    await Promise.all([leaveBehind('left-1'), leaveBehind('left-2'), leaveBehind('left-3')]);
    const license = await issued({ duration: 1, externalId: 'left-1' });
    expect(license.externalId).toBe('left-1');
    const { body } = await patch(license, { externalId: 'left-2' });
    expect(body.license.externalId).toBe('left-2');
    const created = await app.createLicense(ada, { externalId: 'left-3' });
    expect(created).toMatchObject({ externalId: 'left-3' });
  });

  it('are changed but for the term, and not below the machines that use it', async () => {
    const license = await issued({ duration: 1, maxMachines: 2, entitlements: ['a'] });
    for (const fingerprint of ['machine-number-1', LAPTOP])
      await app.activate(license, fingerprint);
    expectError(await patch(license, { maxMachines: 1 }), [409, 'MACHINES_IN_USE']);
    const before = await read(license);
    const changes = {
      ...{ maxMachines: 3, leaseSeconds: 600, release: 'self', entitlements: ['b'] },
      ...{ metadata: { a: 'b' }, services: ['Domain'] },
    };
    app.clock.advance({ seconds: 1 });
    const { body } = await patch(license, changes);
    expect(body).toEqual({
      message: 'License updated successfully',
      license: { ...before, ...changes, updatedAt: app.clock.now().toISOString() },
    });
    expect(await read(license)).toEqual(body.license);
    expectError(await patch(license, { services: [] }), [400, 'SERVICES_REQUIRED']);
    expectInvalid(await patch(license, { duration: 3, key: 'x' }), 'duration', 'key');
    await post(license, 'revoke');
    expectError(await patch(license, { maxMachines: 9 }), [409, 'LICENSE_ALREADY_REVOKED']);
  });

  it('are kept by a reissue, which needs a term where nothing is left of it', async () => {
    const terms = {
      ...{ maxMachines: 3, leaseSeconds: 600, release: 'self', entitlements: ['a'] },
      metadata: { a: 'b' },
    };
    const license = await issued({ duration: 1, ...terms });
    expect((await post(license, 'reissue')).body.license).toMatchObject({ duration: 1, ...terms });
    const active = await issued({ duration: 1, ...terms });
    await app.activate(active, LAPTOP);
    app.clock.advance({ seconds: 1 });
    expect((await post(active, 'reissue')).body.license).toMatchObject({
      ...{ duration: null, days: 28, machinesCount: 0, ...terms },
    });
    const endless = await issued({ perpetual: true });
    await app.activate(endless, LAPTOP);
    expect((await post(endless, 'reissue')).body.license).toMatchObject({ perpetual: true });
    const expired = await issued({ days: 1 });
    await app.activate(expired, LAPTOP);
    await app.moveTo(ada, '2026-03-01T00:00:00.000Z');
    expectError(await post(expired, 'reissue'), [409, 'TERM_REQUIRED']);
    expect((await post(expired, 'reissue', { days: 9 })).body.license.days).toBe(9);
  });

  it('are suspended and resumed: nothing else changes, and repeats change nothing', async () => {
    const license = await app.createLicense(ada, { duration: 1 });
    await app.activate(license, LAPTOP);
    const before = await read(license);
    app.clock.advance({ seconds: 1 });
    const { body } = await post(license, 'suspend');
    const now = app.clock.now().toISOString();
    expect(body).toEqual({
      message: 'License suspended successfully',
      license: { ...before, status: 'SUSPENDED', updatedAt: now },
    });
    app.clock.advance({ seconds: 1 });
    expect((await post(license, 'suspend')).body).toEqual(body);
    expect(await app.validationOf(license, LAPTOP)).toBe('suspended');
    expectError(await app.activate(license, LAPTOP), [403, 'LICENSE_SUSPENDED']);
    expectError(await post(license, 'reissue'), [403, 'LICENSE_SUSPENDED']);
    const certificate = { fingerprint: LAPTOP, product: license.project, days: 1 };
    expectError(await post(license, 'certificates', certificate), [403, 'LICENSE_SUSPENDED']);
    const { data } = (await app.get(`/licenses?status=SUSPENDED`, ada)).body;
    expect(data.map(({ _id }: { _id: string }) => _id)).toContain(license._id);
    expect((await post(license, 'renew', { days: 1 })).body.license.status).toBe('SUSPENDED');
    const resumed = await post(license, 'resume');
    expect(resumed.body).toMatchObject({
      ...{ message: 'License resumed successfully', license: { status: 'ACTIVE' } },
    });
    expect((await post(license, 'resume')).body).toEqual(resumed.body);
    expect(await app.validationOf(license, LAPTOP)).toBe('active');
    await post(license, 'revoke');
    for (const action of ['suspend', 'resume']) {
      expectError(await post(license, action), [409, 'LICENSE_ALREADY_REVOKED']);
    }
  });
});
