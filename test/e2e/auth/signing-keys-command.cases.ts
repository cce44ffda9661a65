import { exportOrImportSigningKeys } from '../../../src/cli/export-or-import-signing-keys.js';
import { Config } from '../../../src/shared/config/config.js';
import { useCheapScrypt } from '../../cheap-scrypt.js';
import { SECRETS } from '../../engines.js';
import { useFolder } from '../../use-folder.js';
import { signingKeysOf, verifyCertificate } from '../certificates/verify-certificate.js';
import { LAPTOP, PASSWORD } from '../developer.js';
import { useApp } from '../use-app.js';

// What is imported has its cases in src/cli/import-signing-keys.spec.ts.
describe('npm run signing-keys', () => {
  useCheapScrypt();
  const folder = useFolder();
  const app = useApp();

  const run = (action: 'export' | 'import', file: string, email: string, overwrite = {}) =>
    exportOrImportSigningKeys(
      { action, email, file, ...overwrite },
      { ...SECRETS, DATA_DIR: app.nest.get(Config).dataDir, LOG_LEVEL: 'silent' },
      async () => 'a passphrase of the operator',
    );

  it('exports keys to a new file alone, restores them by --force alone, whatever was rotated as compromised since, and says what that means', async () => {
    app.clock.set(new Date().toISOString());
    const ada = await app.register();
    const file = folder('keys.json');
    await expect(run('export', file, ada.email)).rejects.toThrow('has no signing keys yet');
    await expect(run('export', file, 'nobody@example.com')).rejects.toThrow('There is no account');
    await expect(run('import', file, ada.email)).rejects.toThrow('cannot be read (ENOENT)');

    const license = await app.createLicense(ada);
    await app.activate(license, LAPTOP);
    const shipped = await signingKeysOf(app, ada);
    const certify = async () => {
      // Instances sign with other keys after a minute at most.
      app.clock.advance({ seconds: 120 });
      const request = { key: license.key, fingerprint: LAPTOP, product: license.project };
      const { body } = await app.post('/validate', { ...request, certificate: true });
      return body.certificate as string;
    };
    const before = await certify();
    await run('export', file, ada.email);
    await expect(run('export', file, ada.email)).rejects.toThrow('exists already');
    for (let count = 0; count < 2; count++) {
      const { current } = await signingKeysOf(app, ada);
      const rotation = { current: current.kid, password: PASSWORD, compromised: true };
      expect((await app.post('/signing-keys/rotate', rotation, ada)).status).toBe(200);
    }
    const meanwhile = await certify();
    expect(() => verifyCertificate(meanwhile, shipped)).toThrow();
    for (const overwrite of [{}, { replace: true }]) {
      await expect(run('import', file, ada.email, overwrite)).rejects.toThrow('--force');
    }

    expect(await run('import', file, ada.email, { force: true })).toMatch(
      /rotation count 2\)[^]+withdrawn as compromised[^]+Keys made since are lost/,
    );
    const token = await app.logIn(ada);
    expect(await signingKeysOf(app, token)).toEqual(shipped);
    for (const certificate of [before, await certify()]) {
      expect(verifyCertificate(certificate, shipped).kid).toBe(shipped.current.kid);
    }
    const published = (await app.get(`/keys/${shipped.issuer}`)).body.keys as { kid: string }[];
    expect(published.map(({ kid }) => kid)).toEqual([shipped.current.kid, shipped.next.kid]);
  });
});
