import fs from 'node:fs';
import { exportOrImportSigningKeys } from '../../../src/cli/export-or-import-signing-keys.js';
import { TestApp } from '../../app.js';
import { useCheapScrypt } from '../../cheap-scrypt.js';
import { SECRETS } from '../../engines.js';
import { useFolder } from '../../use-folder.js';
import { type Developer, registerDeveloper } from '../developer.js';

// What is imported has its cases in src/cli/import-signing-keys.spec.ts.
describe('npm run signing-keys', () => {
  useCheapScrypt();
  const folder = useFolder();
  const apps: TestApp[] = [];
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.stop();
  });

  /** A service on a store of its own, with an account. */
  const newService = async (name: string) => {
    const env = { ...SECRETS, DATA_DIR: folder(name) };
    const app = await TestApp.start('SQLite', env);
    apps.push(app);
    app.clock.set(new Date().toISOString());
    const developer = await registerDeveloper(app);
    const run = (action: string, file: string, { email }: Developer = developer) =>
      exportOrImportSigningKeys(
        [action, email, file],
        { ...env, LOG_LEVEL: 'silent' },
        async () => 'a passphrase of the operator',
      );
    const keys = async () => (await app.get('/signing-keys', developer)).body;
    const rotate = async () => {
      const { current } = await keys();
      const rotation = await app.post('/signing-keys/rotate', { current: current.kid }, developer);
      expect(rotation.status).toBe(200);
    };
    return { app, developer, run, keys, rotate };
  };

  it('transfers issuer, keys and rotations to another store, whose own keys were not used yet', async () => {
    const file = folder('keys.json');
    const [from, to] = [await newService('from'), await newService('to')];
    await from.rotate();
    await from.run('export', file);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(await to.run('import', file)).toContain('(rotation count 1)');

    const keys = await from.keys();
    expect(keys.issuer).toBe(from.developer._id);
    expect(await to.keys()).toEqual(keys);
    const published = (await from.app.get(`/keys/${keys.issuer}`)).body;
    expect(published.keys).toHaveLength(3);
    expect((await to.app.get(`/keys/${keys.issuer}`)).body).toEqual(published);
    // The imported keys can be rotated, so the store can open and use them.
    await to.rotate();
    await expect(to.run('import', file)).rejects.toThrow('import a later export');
  });

  it('changes nothing where an account, its keys or a file is missing', async () => {
    const file = folder('keys.json');
    const { run, developer, keys } = await newService('store');
    await expect(run('export', file)).rejects.toThrow('has no signing keys yet');
    await expect(run('import', file)).rejects.toThrow('cannot be read (ENOENT)');
    const nobody = { ...developer, email: 'nobody@example.com' };
    await expect(run('export', file, nobody)).rejects.toThrow('There is no account');

    await keys();
    fs.writeFileSync(file, 'kept');
    await expect(run('export', file)).rejects.toThrow('exists already');
    await expect(run('import', file)).rejects.toThrow('no exported signing keys');
    expect(fs.readFileSync(file, 'utf8')).toBe('kept');
  });
});
