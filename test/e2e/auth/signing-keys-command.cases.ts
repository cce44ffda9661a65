import { exportOrImportSigningKeys } from '../../../src/cli/export-or-import-signing-keys.js';
import { Config } from '../../../src/shared/config/config.js';
import { useCheapScrypt } from '../../cheap-scrypt.js';
import { SECRETS } from '../../engines.js';
import { useFolder } from '../../use-folder.js';
import { type Developer, registerDeveloper } from '../developer.js';
import { useApp } from '../use-app.js';

// What is imported has its cases in src/cli/import-signing-keys.spec.ts.
describe('npm run signing-keys', () => {
  useCheapScrypt();
  const folder = useFolder();
  const app = useApp();

  const run = (action: string, file: string, email: string) =>
    exportOrImportSigningKeys(
      [action, email, file],
      { ...SECRETS, DATA_DIR: app.nest.get(Config).dataDir, LOG_LEVEL: 'silent' },
      async () => 'a passphrase of the operator',
    );
  const keysOf = async (user: Developer) => (await app.get('/signing-keys', user)).body;
  const rotate = async (user: Developer) => {
    const { current } = await keysOf(user);
    return (await app.post('/signing-keys/rotate', { current: current.kid }, user)).status;
  };

  it('exports keys to a new file alone, and imports nothing over keys that were rotated as often', async () => {
    app.clock.set(new Date().toISOString());
    const ada = await registerDeveloper(app);
    const file = folder('keys.json');
    await expect(run('export', file, ada.email)).rejects.toThrow('has no signing keys yet');
    await expect(run('export', file, 'nobody@example.com')).rejects.toThrow('There is no account');
    await expect(run('import', file, ada.email)).rejects.toThrow('cannot be read (ENOENT)');

    expect(await rotate(ada)).toBe(200);
    await run('export', file, ada.email);
    await expect(run('export', file, ada.email)).rejects.toThrow('exists already');
    await rotate(ada);
    await expect(run('import', file, ada.email)).rejects.toThrow('import a later export');
    // The store can still open and use its keys.
    expect(await rotate(ada)).toBe(200);
  });
});
