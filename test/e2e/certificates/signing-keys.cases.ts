import { Config } from '../../../src/shared/config/config.js';
import { exportSigningKeys, loadSigningKeys } from '../../../src/cli/signing-keys.js';
import { withStore } from '../../../src/cli/with-store.js';
import { LAPTOP, NOBODYS, PASSWORD } from '../developer.js';
import { expectError, expectResponse } from '../responses.js';
import { useApp, useDeveloper } from '../use-app.js';
import { thumbprint, verifyCertificate } from './certificates.js';
import { useCheapScrypt } from '../../cheap-scrypt.js';
import { SECRETS } from '../../engines.js';
import { useFolder } from '../../use-folder.js';

const JWK = {
  ...{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' },
  x: expect.stringMatching(/^[\w-]{43}$/),
  kid: expect.stringMatching(/^[\w-]{43}$/),
};

describe('The signing keys of an account', () => {
  const [app, ada] = useDeveloper();
  const strict = useApp({ GUESS_LIMIT: '2' });

  const keySetOf = (issuer: string) => app.get(`/keys/${encodeURIComponent(issuer)}`);
  const published = async () =>
    ((await keySetOf(ada._id)).body.keys as { kid: string }[]).map(({ kid }) => kid);
  const post = (body: object) =>
    app.post('/signing-keys/rotate', { password: PASSWORD, ...body }, ada);
  /** Rotates the current keys. */
  const rotate = async (fields: object = {}) => {
    const { current } = await app.signingKeysOf(ada);
    return post({ current: current.kid, ...fields });
  };

  it('GET /signing-keys creates two; GET /keys/:issuer shows them to everyone, current first, cacheable for a minute', async () => {
    for (const none of [ada._id, NOBODYS, '0'.repeat(23), '{"$ne":null}', '%']) {
      expect((await keySetOf(none)).body).toEqual({ keys: [] });
    }
    const first = await app.get('/signing-keys', ada);
    const { issuer, current, next } = first.body;

    expectResponse(first, 200, { issuer: ada._id, current: JWK, next: JWK });
    for (const { kid, x } of [current, next]) expect(kid).toBe(thumbprint(x as string));
    expect(current.x).not.toBe(next.x);
    expect((await app.get('/signing-keys', ada)).body).toEqual(first.body);
    const published = await keySetOf(issuer as string);
    expectResponse(published, 200, { keys: [current, next] });
    expect(published.headers.get('cache-control')).toBe('public, max-age=60');
  });

  it('200: after a rotation, only the next key signs, and the previous one is still published', async () => {
    const license = await app.createLicense(ada);
    await app.activate(license, LAPTOP);
    const kidsOf = async () => {
      const keys = await app.signingKeysOf(ada);
      const issued = [
        await app.requestCertificate('/validate', license),
        await app.requestCertificate('/validate/activate', license),
        await app.issueCertificate(ada, license),
      ];
      return issued.map(({ body }) => verifyCertificate(body.certificate as string, keys).kid);
    };
    const before = await app.signingKeysOf(ada);
    expect(await kidsOf()).toEqual(Array(3).fill(before.current.kid));
    const response = await rotate();
    const { message, builds, ...keys } = response.body;

    expect([response.status, message]).toEqual([200, 'Signing keys rotated']);
    expect(builds).toBe(
      `Builds that contain the key ${before.next.kid} accept new certificates. ` +
        'Builds without it do not: update them with current and next. Builds that contain the former key still accept ' +
        'certificates signed with it.',
    );
    expect(keys).toEqual({ ...before, current: before.next, next: JWK });
    expect([before.current.kid, before.next.kid]).not.toContain(keys.next.kid);
    expect(await app.signingKeysOf(ada)).toEqual(keys);
    expect(await published()).toEqual([keys.current.kid, keys.next.kid, before.current.kid]);
    expect(await kidsOf()).toEqual(Array(3).fill(before.next.kid));
  });

  it('S27: 403, 429: a wrong password prevents a rotation or its repeat, and counts as a failed login', async () => {
    const [limited, key] = [await strict.register(), { 'Idempotency-Key': 'once' }];
    const { current } = await strict.signingKeysOf(limited);
    const rotateWith = (password: string) => {
      const call = { token: limited.token, headers: key };
      return strict.post('/signing-keys/rotate', { current: current.kid, password }, call);
    };
    const first = await rotateWith(PASSWORD);
    expect([first.status, first.headers.get('x-ratelimit-remaining')]).toEqual([200, '2']);
    expectError(await rotateWith('a guess'), 'WRONG_PASSWORD', { field: 'password' });
    expect((await rotateWith(PASSWORD)).body).toEqual(first.body);
    await strict.post('/auth/login', { email: limited.email, password: 'a guess' });
    expect((await rotateWith(PASSWORD)).status).toBe(429);
    expect((await strict.signingKeysOf(limited)).current.kid).toBe(first.body.current.kid);
  });

  it('403: a 25th retired key is rejected', async () => {
    for (let i = 0; i < 24; i++) await rotate();
    expectError(await rotate(), 'RETIRED_KEY_QUOTA_REACHED');
  });
});

// Imports are covered in src/cli/signing-keys.spec.ts.
describe('npm run signing-keys', () => {
  useCheapScrypt();
  const folder = useFolder();
  const app = useApp();

  const run = (action: 'export' | 'import', file: string, email: string, options = {}) => {
    const env = { ...SECRETS, DATA_DIR: app.nest.get(Config).dataDir, LOG_LEVEL: 'silent' };
    const passphrase = async () => 'a passphrase of the operator';
    return withStore(env, (services) =>
      action === 'export'
        ? exportSigningKeys(services, email, file, passphrase)
        : loadSigningKeys(services, email, file, options, passphrase),
    );
  };

  it('exports keys only to a new file, restores them only with --force after rotations, and explains the consequences', async () => {
    app.clock.set(new Date().toISOString());
    const ada = await app.register();
    const file = folder('keys.json');
    await expect(run('export', file, ada.email)).rejects.toThrow('has no signing keys yet');
    await expect(run('export', file, 'nobody@example.com')).rejects.toThrow('There is no account');
    await expect(run('import', file, ada.email)).rejects.toThrow('cannot be read (ENOENT)');

    const shipped = await app.signingKeysOf(ada);
    await run('export', file, ada.email);
    await expect(run('export', file, ada.email)).rejects.toThrow('already exists');
    for (let count = 0; count < 2; count++) {
      const { current } = await app.signingKeysOf(ada);
      const rotation = { current: current.kid, password: PASSWORD, compromised: true };
      expect((await app.post('/signing-keys/rotate', rotation, ada)).status).toBe(200);
    }
    await expect(run('import', file, ada.email)).rejects.toThrow('--force');

    expect(await run('import', file, ada.email, { force: true })).toMatch(
      /rotation count 2\)[^]+withdrawn as compromised[^]+Newer keys are lost/,
    );
    const published = (await app.get(`/keys/${shipped.issuer}`)).body.keys as { kid: string }[];
    expect(published.map(({ kid }) => kid)).toEqual([shipped.current.kid, shipped.next.kid]);
  });
});
