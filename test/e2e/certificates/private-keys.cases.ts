import { KeyPairs } from '../../../src/certificates/signing-keys/key-pairs.service.js';
import { SigningKeysRepository } from '../../../src/certificates/signing-keys/signing-keys.repository.js';
import { toAccountId } from '../../../src/shared/ids/account-id.js';
import { ENGINES } from '../../engines.js';
import {
  activate,
  createLicense,
  type CreatedLicense,
  type Developer,
  registerDeveloper,
} from '../developer.js';
import { contentOf } from '../stored-content.js';
import { useApp } from '../use-app.js';
import { LAPTOP } from './issue-certificate.js';
import { signingKeysOf } from './verify-certificate.js';

// Beside these, every e2e test searches its logs and responses for private keys: test/watched-key-pairs.ts.
describe.each(ENGINES)('S17: private signing keys on %s', (engine) => {
  const app = useApp(engine);
  let ada: Developer;
  let license: CreatedLicense;

  beforeEach(async () => {
    ada = await registerDeveloper(app);
    license = await createLicense(app, ada);
    await activate(app, license, LAPTOP);
    await signingKeysOf(app, ada);
  });

  const stored = async () =>
    (await app.nest.get(SigningKeysRepository).find(toAccountId(ada._id)))!;
  const check = (fields: object = {}) => ({
    ...{ key: license.key, fingerprint: LAPTOP, product: license.project },
    ...fields,
  });

  it('are stored sealed', async () => {
    const { issuer, current, next } = await stored();
    const pairs = app.nest.get(KeyPairs);
    const seeds = [current, next].map((key) => pairs.open(issuer, key));
    const headers = { 'Idempotency-Key': 'a rotation' };
    await app.post('/signing-keys/rotate', { current: current.kid }, { ...ada, headers });
    await app.post('/validate', check({ certificate: true }));
    const content = await contentOf(app, engine);

    expect(content).toContain(current.kid);
    expect(content).toContain(next.sealedSeed);
    for (const seed of seeds) {
      expect(seed).toHaveLength(32);
      for (const form of ['base64url', 'base64', 'hex', 'latin1'] as const) {
        expect(content.includes(seed.toString(form))).toBe(false);
      }
    }
  });

  it('are not kept once they are retired', async () => {
    const { current } = await stored();
    await app.post('/signing-keys/rotate', { current: current.kid }, ada);

    expect((await stored()).retired).toEqual([
      { kid: current.kid, x: current.x, retiredAt: app.clock.now() },
    ]);
  });

  it.each([
    ['the seed of the next key', 'current'],
    ['a seed that was sealed for another issuer', 'issuer'],
  ])('sign nothing where the store gives %s: 500, and plain checks go on', async (_case, what) => {
    const keys = await stored();
    const find = jest.spyOn(app.nest.get(SigningKeysRepository), 'find').mockResolvedValue({
      ...keys,
      ...(what === 'issuer' && { issuer: license.project }),
      ...(what === 'current' && {
        current: { ...keys.current, sealedSeed: keys.next.sealedSeed },
      }),
    });
    const [validation, activation, plain] = [
      await app.post('/validate', check({ certificate: true })),
      await app.post('/validate/activate', check({ certificate: true })),
      await app.post('/validate', check()),
    ];
    find.mockRestore();

    expect([validation.status, activation.status, plain.status]).toEqual([500, 500, 200]);
    expect(plain.body.status).toBe('active');
    for (const { body } of [validation, activation]) expect(body).not.toHaveProperty('certificate');
  });
});
