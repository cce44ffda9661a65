import { LicensesRepository } from '../../../src/licenses/licenses.repository.js';
import { ENGINES } from '../../engines.js';
import type { HttpResponse } from '../../http-caller.js';
import {
  activate,
  addLicense,
  createClient,
  createProject,
  type CreatedLicense,
  NOBODYS,
  registerDeveloper,
  unknownKey,
} from '../developer.js';
import { everythingOf } from '../everything.js';
import { useApp, useDeveloper } from '../use-app.js';

const LAPTOP = 'laptop-of-the-customer';
const DESKTOP = 'desktop-of-the-customer';
const PRODUCT = 'com.example.Web-Shop';

const ROUTES = [
  ['/validate', { valid: false }],
  ['/validate/activate', { success: false }],
] as const;

const WRONG: unknown[] = [
  ...['', ' ', 'x'.repeat(65), '.shop', 'shop.', 'web shop', ' shop', 'shop ', 'shop\n', 'Straße'],
  ...[5, true, false, [], [PRODUCT], {}, { $ne: null }],
];

/** Everything of a response that its caller can compare with that of another. */
function visible({ status, headers, body }: HttpResponse) {
  const own = ['date', 'x-request-id'];
  return {
    status,
    headers: [...headers].filter(([name]) => !own.includes(name)),
    text: JSON.stringify({ ...body, ...(body.requestId && { requestId: '' }) }),
  };
}

describe.each(ENGINES)('`product` of shipped software, on %s', (engine) => {
  const app = useApp(engine, {
    ...{ ACTIVATION_LIMIT: '100', VALIDATION_LIMIT: '', VALIDATION_ADDRESS_LIMIT: '' },
    UNKNOWN_KEY_LIMIT: '',
  });
  const ada = useDeveloper(app);
  let client: { _id: string };
  let active: CreatedLicense;
  let pending: CreatedLicense;
  let revoked: CreatedLicense;
  let otherProject: { _id: string };

  beforeAll(async () => {
    client = await createClient(app, ada);
    const { project, license } = await createProject(app, ada, client._id, { product: PRODUCT });
    active = license;
    await activate(app, active, LAPTOP);
    pending = await addLicense(app, ada, project._id);
    revoked = await addLicense(app, ada, project._id);
    await app.post(`/licenses/${revoked._id}/revoke`, {}, ada);
    const other = await createProject(app, ada, client._id, { product: 'cheap-shop' });
    otherProject = other.project;
  });

  let addresses = 0;
  /** An address that has sent nothing yet. */
  const newAddress = () => `203.0.${(addresses += 1) >> 8}.${addresses & 255}`;

  /** 20 that are of the right shape, and none of them the label or the id of the project. */
  const shapes = () => [
    ...[otherProject._id, 'cheap-shop', PRODUCT.toLowerCase(), PRODUCT.toUpperCase()],
    ...[`${PRODUCT}2`, PRODUCT.slice(0, -1), PRODUCT.slice(1), PRODUCT.replaceAll('.', '-')],
    ...[active.project.toUpperCase(), `${active.project}0`, active.project.slice(0, -1)],
    ...[active._id, client._id, ada._id, NOBODYS, 'null', 'undefined', 'constructor', '0'],
    'x'.repeat(64),
  ];

  it('matches by the label and by the id of the project', async () => {
    for (const product of [PRODUCT, active.project]) {
      const call = { from: newAddress() };
      const check = { key: active.key, fingerprint: LAPTOP, product };
      expect((await app.post('/validate', check, call)).body.status).toBe('active');
      expect((await app.post('/validate/activate', check, call)).status).toBe(200);
      const bound = { ...check, fingerprint: DESKTOP };
      expect((await app.post('/validate', bound, call)).body.status).toBe('machine_mismatch');
      const pendingCheck = { ...check, key: pending.key };
      expect((await app.post('/validate', pendingCheck, call)).body.status).toBe('pending');
      const revokedCheck = { ...check, key: revoked.key };
      expect((await app.post('/validate', revokedCheck, call)).body.status).toBe('revoked');
    }
  });

  it('matches by the id of a project without a product, and by no label', async () => {
    const { license } = await createProject(app, ada, client._id);
    const statusOf = async (product: string) =>
      (await app.post('/validate', { key: license.key, product }, { from: newAddress() })).body
        .status as string;

    expect(await statusOf(license.project)).toBe('pending');
    expect(await statusOf('null')).toBe('invalid');
    expect(await statusOf(PRODUCT)).toBe('invalid');
  });

  it.each(ROUTES)(
    'S18: of 20 other shapes gets the bytes of an unknown key at %s, for the same work, and leaves no trace',
    async (path) => {
      const find = jest.spyOn(app.nest.get(LicensesRepository), 'findByKeyHash');
      const before = await everythingOf(app, ada);
      expect(new Set(shapes()).size).toBe(20);
      for (const product of shapes()) {
        for (const license of [active, pending, revoked]) {
          for (const fields of [{}, { certificate: true, fingerprint: DESKTOP }]) {
            find.mockClear();
            const sent = { ...fields, product };
            const known = { key: license.key, ...sent };
            const mismatch = await app.post(path, known, { from: newAddress() });
            const lookUps = find.mock.calls.length;
            find.mockClear();
            const unknown = { key: unknownKey(), ...sent };
            const missing = await app.post(path, unknown, { from: newAddress() });

            expect(visible(mismatch)).toEqual(visible(missing));
            expect([lookUps, find.mock.calls.length]).toEqual([1, 1]);
          }
        }
      }
      find.mockRestore();
      const one = { key: active.key, product: 'x' };
      const { status, body } = await app.post(path, one, { from: newAddress() });
      expect(body).toMatchObject({ message: 'License not found' });
      expect(status).toBe(path === '/validate' ? 200 : 404);
      expect(await everythingOf(app, ada)).toEqual(before);
    },
  );

  it('counts towards the limit of unknown keys where it does not match, and is rejected beyond it as they are', async () => {
    const from = newAddress();
    const bob = await registerDeveloper(app);
    const first = await createProject(app, bob, (await createClient(app, bob))._id);
    const { project } = first;
    const keys = [first.license.key];
    while (keys.length < 21) keys.push((await addLicense(app, bob, project._id)).key);
    const validate = (key: string, product?: string) =>
      app.post('/validate', { key, product }, { from });
    for (let i = 0; i < 20; i++) {
      expect((await validate(keys[i]!, 'other')).status).toBe(200);
      // The same key counts once.
      expect((await validate(keys[i]!, 'another')).status).toBe(200);
    }
    const mismatch = await validate(keys[20]!, 'other');
    const repeated = await validate(keys[0]!, 'other');
    const missing = await validate(unknownKey(), 'other');

    expect(mismatch.status).toBe(429);
    expect(mismatch.body).toMatchObject({ code: 'TOO_MANY_REQUESTS', valid: false });
    expect(visible(mismatch)).toEqual(visible(missing));
    expect(visible(repeated)).toEqual(visible(missing));
    expect((await validate(keys[20]!, project._id)).body.status).toBe('pending');
    expect((await validate(keys[20]!)).body.status).toBe('pending');
  });

  describe.each(ROUTES)('at %s', (path, marker) => {
    it.each(WRONG)('400: is rejected by name for %j, and nothing is bound', async (product) => {
      const before = await everythingOf(app, ada);
      const check = { key: pending.key, fingerprint: LAPTOP, product };
      const response = await app.post(path, check, { from: newAddress() });

      expect(response.status).toBe(400);
      expect(response.body).toEqual({
        ...marker,
        message: 'Validation error',
        code: 'VALIDATION_ERROR',
        errors: { product: [expect.any(String)] },
        details: expect.any(String),
        requestId: response.headers.get('x-request-id'),
      });
      expect(await everythingOf(app, ada)).toEqual(before);
    });

    it('changes nothing where it matches, is null or is absent', async () => {
      const check = { key: active.key, fingerprint: LAPTOP };
      const send = (fields: object) =>
        app.post(path, { ...check, ...fields }, { from: newAddress() });
      const plain = visible(await send({}));

      for (const product of [PRODUCT, active.project, null]) {
        expect(visible(await send({ product }))).toEqual(plain);
      }
    });

    it.each(['productName', 'machineId', 'instanceId'])(
      '%s keeps having no effect, whatever it is',
      async (field) => {
        const send = (key: string, fields: object) =>
          app.post(path, { key, fingerprint: LAPTOP, ...fields }, { from: newAddress() });
        for (const key of [active.key, revoked.key, unknownKey()]) {
          const plain = visible(await send(key, {}));
          for (const value of ['cheap-shop', PRODUCT, '', null, 5, { $ne: null }]) {
            expect(visible(await send(key, { [field]: value }))).toEqual(plain);
          }
        }
      },
    );
  });
});
