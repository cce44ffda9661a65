import { Store } from '../../../src/storage/store.js';
import { type CreatedLicense, DESKTOP, LAPTOP, NOBODYS, unknownKey } from '../developer.js';
import { everythingOf } from '../everything.js';
import { visible } from '../rate-limit.js';
import { useDeveloper } from '../use-app.js';

const PRODUCT = 'com.example.Web-Shop';

const ROUTES = ['/validate', '/validate/activate'];

describe('`product` of shipped software', () => {
  const [app, ada] = useDeveloper({
    ...{ ACTIVATION_LIMIT: '100', VALIDATION_LIMIT: '', VALIDATION_ADDRESS_LIMIT: '' },
    UNKNOWN_KEY_LIMIT: '2',
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
  /** Sends a request from an address that has sent nothing yet. */
  const send = (path: string, { key }: { key: string }, fields: object) => {
    const from = `203.0.${(addresses += 1) >> 8}.${addresses & 255}`;
    return app.post(path, { key, ...fields }, { from });
  };

  /** 20 that are of the right shape, and none of them the label or the id of the project. */
  const shapes = () => [
    ...[otherProject._id, 'cheap-shop', PRODUCT.toLowerCase(), PRODUCT.toUpperCase()],
    ...[`${PRODUCT}2`, PRODUCT.slice(0, -1), PRODUCT.slice(1), PRODUCT.replaceAll('.', '-')],
    ...[active.project.toUpperCase(), `${active.project}0`, active.project.slice(0, -1)],
    ...[active._id, client._id, ada._id, NOBODYS, 'null', 'undefined', 'constructor', '0'],
    'x'.repeat(64),
  ];

  it.each(ROUTES)(
    'S18: of 20 other shapes gets the bytes of an unknown key at %s, for the same work, and leaves no trace',
    async (path) => {
      const find = jest.spyOn(app.nest.get(Store), 'find');
      const before = await everythingOf(app, ada);
      const unknown = { key: unknownKey() };
      expect(new Set(shapes()).size).toBe(20);
      for (const [index, product] of shapes().entries()) {
        const license = [active, pending, revoked][index % 3]!;
        const fields =
          index % 2 ? { product } : { product, certificate: true, fingerprint: DESKTOP };
        find.mockClear();
        const mismatch = await send(path, license, fields);
        const lookUps = find.mock.calls.length;
        find.mockClear();
        const missing = await send(path, unknown, fields);

        expect(visible(mismatch)).toEqual(visible(missing));
        expect([lookUps, find.mock.calls.length]).toEqual([2, 2]);
        expect(missing.body).toMatchObject({ message: 'License not found' });
      }
      find.mockRestore();
      expect(await everythingOf(app, ada)).toEqual(before);
    },
  );

  it('counts towards the limit of unknown keys where it does not match, and is rejected beyond it as they are', async () => {
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
