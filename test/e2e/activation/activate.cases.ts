import { Store } from '../../../src/storage/store.js';
import { type CreatedLicense, DESKTOP, LAPTOP, NOBODYS, pasted, unknownKey } from '../developer.js';
import { expectError, expectInvalid, expectResponse, visible } from '../responses.js';
import { useDeveloper } from '../use-app.js';
import { everythingOf } from '../everything.js';

/** Values that are not a license key, and ways to omit it. */
const UNKNOWN = [unknownKey(), 'nonsense', 'x'.repeat(10_000), unknownKey().replaceAll('A', '%')];
const MISSING = [undefined, null, ' \n ', 5, { $ne: null }];

describe('POST /validate/activate and POST /validate', () => {
  const [app, ada] = useDeveloper();

  const activate = (body: object) => app.post('/validate/activate', body);
  const validate = async (body: object) => {
    const { status, body: response } = await app.post('/validate', body);
    expect(status).toBe(200);
    return response;
  };

  it('bind a license to the machine, start its term then and not at its creation, and succeed again without the machine id', async () => {
    const license = await app.createLicense(ada, { duration: 1 });
    // A PENDING license does not expire.
    app.clock.set('2030-01-31T08:00:00.000Z');
    const { status, body } = await activate({ key: license.key, fingerprint: LAPTOP });
    const term = { activatedAt: '2030-01-31T08:00:00.000Z', expiresAt: '2030-02-28T08:00:00.000Z' };

    expectResponse({ status, body }, 200, {
      ...{ success: true, message: 'License activated', ...term },
      machineId: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await app.readLicense(await app.logIn(ada), license)).toMatchObject({
      ...{
        status: 'ACTIVE',
        startsOnActivation: false,
        machineId: body.machineId,
        issuedAt: term.activatedAt,
        ...term,
      },
    });
    app.clock.advance({ seconds: 3600 });
    expectResponse(await activate({ key: license.key, fingerprint: LAPTOP }), 200, {
      ...{ success: true, message: 'License already activated on this machine', ...term },
    });
  });

  it('use the machine of the service without a fingerprint, accept any form of the key, and ignore unknown fields', async () => {
    const { key } = await app.createLicense(ada);

    const first = await activate({ key: pasted(key), os: { name: 'x' } });
    expect(first.body.machineId).toBeDefined();
    expect((await activate({ key, fingerprint: null })).body.message).toMatch(/already activated/);
    expect((await validate({ key: key.toLowerCase(), productName: 'Shop' })).status).toBe('active');
    expect((await activate({ key, fingerprint: LAPTOP })).status).toBe(403);
  });

  it('report a new status immediately: pending, active, expired, revoked', async () => {
    const terms = { duration: 1, services: ['Hosting', 'Domain'] };
    const license = await app.createLicense(ada, terms);
    const check = { key: license.key, fingerprint: LAPTOP };
    expect(await validate(check)).toEqual({
      ...{ valid: false, status: 'pending', message: 'License has not been activated' },
    });
    // The request bound nothing.
    expect(await app.readLicense(ada, license)).toEqual(license);

    const { activatedAt, expiresAt } = (await activate(check)).body;
    expect(await validate(check)).toEqual({
      ...{ valid: true, status: 'active', message: 'License is valid' },
      ...{ ...terms, activatedAt, expiresAt, entitlements: [] },
    });
    app.clock.set(expiresAt as string);
    expect(await validate(check)).toEqual({
      ...{ valid: false, status: 'expired', message: 'License has expired', expiresAt },
    });
    expectError(await activate(check), 'LICENSE_EXPIRED', { success: false });
    await app.post(`/licenses/${license._id}/revoke`, {}, await app.logIn(ada));
    expect(await validate(check)).toEqual({
      ...{ valid: false, status: 'revoked', message: 'License has been revoked' },
    });
    expectError(await activate(check), 'LICENSE_REVOKED', { success: false });
    // Without `certificate`, no keys are created.
    expect((await app.get(`/keys/${ada._id}`)).body).toEqual({ keys: [] });
  });

  it('reject another machine without revealing the license', async () => {
    const { key } = await app.createLicense(ada);
    await activate({ key, fingerprint: LAPTOP });
    const responses = [await activate({ key, fingerprint: DESKTOP }), await activate({ key })];
    for (const response of responses) {
      expectError(response, 'LICENSE_ON_ANOTHER_MACHINE', { success: false });
    }
    for (const fingerprint of [DESKTOP, undefined]) {
      const message = 'License is activated on another machine';
      expect(await validate({ key, fingerprint })).toEqual({
        ...{ valid: false, status: 'machine_mismatch', message },
      });
    }
  });

  it('404 and "invalid" for an unknown key, 400 for a missing key or an invalid fingerprint', async () => {
    for (const key of UNKNOWN) {
      expectError(await activate({ key }), 'LICENSE_NOT_FOUND', { success: false });
      expect(await validate({ key })).toEqual({
        ...{ valid: false, status: 'invalid', message: 'License not found' },
      });
    }
    const shortened = { key: unknownKey().slice(0, -3), fingerprint: LAPTOP };
    for (const path of ['activate', 'heartbeat', 'release']) {
      expectError(await app.post(`/validate/${path}`, shortened), 'LICENSE_NOT_FOUND', {
        details: 'This is not a complete license key.',
      });
    }
    expect(await validate(shortened)).toMatchObject({ status: 'invalid' });
    for (const key of MISSING) {
      expectError(await activate({ key }), 'LICENSE_KEY_REQUIRED', { success: false });
      const validation = await app.post('/validate', { key });
      expectError(validation, 'LICENSE_KEY_REQUIRED', { valid: false });
    }
    // Must not bind to another machine.
    const license = await app.createLicense(ada);
    const shared = await activate({ key: license.key, fingerprint: 'To be filled by O.E.M.' });
    expectError(shared, 'FINGERPRINT_INVALID', { success: false });
    for (const fingerprint of ['', 'x'.repeat(15), 'x'.repeat(257)]) {
      expectInvalid(await activate({ key: license.key, fingerprint }), 'fingerprint');
    }
    expect(await app.readLicense(ada, license)).toEqual(license);
  });
});

describe('REQUIRE_FINGERPRINT=true', () => {
  const [app, ada] = useDeveloper({ REQUIRE_FINGERPRINT: 'true' });

  it('rejects a bare { key } on both routes, before looking up the key', async () => {
    const { key } = await app.createLicense(ada);
    for (const [path, marker] of [
      ['/validate/activate', { success: false }],
      ['/validate', { valid: false }],
    ] as const) {
      expectError(await app.post(path, { key: 'x' }), 'FINGERPRINT_REQUIRED', marker);
      expectError(await app.post(path, {}), 'LICENSE_KEY_REQUIRED');
      expect((await app.post(path, { key, fingerprint: LAPTOP })).status).toBe(200);
    }
  });
});

const PRODUCT = 'com.example.Web-Shop';

const ROUTES = ['/validate', '/validate/activate'];

describe('`product` of shipped software', () => {
  const [app, ada] = useDeveloper({
    ...{ ACTIVATION_LIMIT: '100', VALIDATION_LIMIT: '', VALIDATION_ADDRESS_LIMIT: '' },
    GUESS_LIMIT: '1',
  });
  let client: { _id: string };
  let active: CreatedLicense;
  let pending: CreatedLicense;
  let revoked: CreatedLicense;
  let otherProject: { _id: string };

  beforeEach(async () => {
    client = await app.createClient(ada);
    const { project, license } = await app.createProject(ada, client._id, { product: PRODUCT });
    active = license;
    await app.activate(active, LAPTOP);
    pending = await app.addLicense(ada, project._id);
    revoked = await app.addLicense(ada, project._id);
    await app.post(`/licenses/${revoked._id}/revoke`, {}, ada);
    const other = await app.createProject(ada, client._id, { product: 'cheap-shop' });
    otherProject = other.project;
  });

  let addresses = 0;
  /** Sends a request from an address not used before. */
  const send = (path: string, { key }: { key: string }, fields: object) => {
    const from = `203.0.${(addresses += 1) >> 8}.${addresses & 255}`;
    return app.post(path, { key, ...fields }, { from });
  };

  /** 20 well-formed values that match neither the label nor the id of the project. */
  const shapes = () => [
    ...[otherProject._id, 'cheap-shop', PRODUCT.toLowerCase(), PRODUCT.toUpperCase()],
    ...[`${PRODUCT}2`, PRODUCT.slice(0, -1), PRODUCT.slice(1), PRODUCT.replaceAll('.', '-')],
    ...[active.project.toUpperCase(), `${active.project}0`, active.project.slice(0, -1)],
    ...[active._id, client._id, ada._id, NOBODYS, 'null', 'undefined', 'constructor', '0'],
    'x'.repeat(64),
  ];

  it.each(ROUTES)('S18: with 20 other values looks like an unknown key at %s', async (path) => {
    const find = jest.spyOn(app.nest.get(Store), 'find');
    const before = await everythingOf(app, ada);
    const unknown = { key: unknownKey() };
    expect(new Set(shapes()).size).toBe(20);
    for (const [index, product] of shapes().entries()) {
      const license = [active, pending, revoked][index % 3]!;
      const fields = index % 2 ? { product } : { product, certificate: true, fingerprint: DESKTOP };
      find.mockClear();
      const mismatch = await send(path, license, fields);
      const lookUps = find.mock.calls.length;
      find.mockClear();
      const missing = await send(path, unknown, fields);

      expect(visible(mismatch)).toEqual(visible(missing));
      expect([lookUps, find.mock.calls.length]).toEqual([3, 3]);
      expect(missing.body).toMatchObject({ message: 'License not found' });
    }
    find.mockRestore();
    expect(await everythingOf(app, ada)).toEqual(before);
  });

  it('counts towards the limit of unknown keys if it does not match, and is then rejected like them', async () => {
    const validate = (key: string, product?: string) =>
      app.post('/validate', { key, product }, { from: '192.0.2.1' });
    for (const { key } of [active, pending]) {
      // The same key counts once.
      for (const product of ['other', 'another']) {
        expect((await validate(key, product)).status).toBe(200);
      }
    }
    const missing = await validate(unknownKey(), 'other');

    expect(missing.status).toBe(429);
    for (const { key } of [pending, revoked]) {
      expect(visible(await validate(key, 'other'))).toEqual(visible(missing));
    }
    for (const product of [PRODUCT, undefined]) {
      expect((await validate(revoked.key, product)).body.status).toBe('revoked');
    }
  });
});
