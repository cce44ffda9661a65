import fs from 'node:fs';
import { carrySigningKeys } from '../../../src/cli/carry-signing-keys.js';
import { TestApp } from '../../app.js';
import { useCheapScrypt } from '../../cheap-scrypt.js';
import { ENGINES, newStore, SECRETS } from '../../engines.js';
import { useFolder } from '../../use-folder.js';
import { type Developer, registerDeveloper } from '../developer.js';

const PASSPHRASE = 'a passphrase of the operator';

describe.each(ENGINES)('npm run signing-keys on %s', (engine) => {
  useCheapScrypt();
  const folder = useFolder();
  const apps: TestApp[] = [];
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.stop();
  });

  /** A service on a store of its own, with an account. */
  const newService = async (name: string) => {
    const env = { ...SECRETS, ...newStore(engine), DATA_DIR: folder(name) };
    const app = await TestApp.start(engine, env);
    apps.push(app);
    app.clock.set(new Date().toISOString());
    const developer = await registerDeveloper(app);
    const run = ({ email }: Developer, action: string, ...rest: string[]) =>
      carrySigningKeys(
        [action, email, ...rest],
        { ...env, LOG_LEVEL: 'silent' },
        async () => PASSPHRASE,
      );
    return { app, developer, run };
  };

  const keysOf = async (app: TestApp, developer: Developer) =>
    (await app.get('/signing-keys', developer)).body as {
      issuer: string;
      current: { kid: string };
    };
  const rotate = async (app: TestApp, developer: Developer) => {
    const { current } = await keysOf(app, developer);
    const rotation = await app.post('/signing-keys/rotate', { current: current.kid }, developer);
    expect(rotation.status).toBe(200);
  };

  it('carries issuer, keys and rotations to another store', async () => {
    const file = folder('keys.json');
    const [from, to] = [await newService('from'), await newService('to')];
    await rotate(from.app, from.developer);
    await from.run(from.developer, 'export', file);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(await to.run(to.developer, 'import', file)).toContain('(rotation count 1)');

    const keys = await keysOf(from.app, from.developer);
    expect(keys.issuer).toBe(from.developer._id);
    expect(await keysOf(to.app, to.developer)).toEqual(keys);
    const published = await from.app.get(`/keys/${keys.issuer}`);
    expect(published.body.keys).toHaveLength(3);
    expect((await to.app.get(`/keys/${keys.issuer}`)).body).toEqual(published.body);
    // The imported keys can be rotated, so the store can open and use them.
    await rotate(to.app, to.developer);
  });

  it('never lowers the number of rotations', async () => {
    const file = folder('keys.json');
    const { app, developer, run } = await newService('store');
    await rotate(app, developer);
    await run(developer, 'export', file);
    await run(developer, 'import', file);
    await rotate(app, developer);
    const keys = await keysOf(app, developer);
    await expect(run(developer, 'import', file)).rejects.toThrow(
      '(rotation count 1): import a later export',
    );
    expect(await keysOf(app, developer)).toEqual(keys);
  });

  it('replaces keys of another issuer only where it is told to', async () => {
    const file = folder('keys.json');
    const [from, to] = [await newService('from'), await newService('to')];
    const keys = await keysOf(from.app, from.developer);
    const own = await keysOf(to.app, to.developer);
    await from.run(from.developer, 'export', file);
    await expect(to.run(to.developer, 'import', file)).rejects.toThrow('add --replace');
    expect(await keysOf(to.app, to.developer)).toEqual(own);
    await to.run(to.developer, 'import', file, '--replace');
    expect(await keysOf(to.app, to.developer)).toEqual(keys);
    expect((await to.app.get(`/keys/${own.issuer}`)).body).toEqual({ keys: [] });
  });

  it('gives no issuer to two accounts', async () => {
    const file = folder('keys.json');
    const { app, developer, run } = await newService('store');
    const other = await registerDeveloper(app);
    const { issuer } = await keysOf(app, developer);
    await run(developer, 'export', file);
    const imported = run(other, 'import', file, '--replace');
    await expect(imported).rejects.toThrow(`Another account has the keys of issuer ${issuer}.`);
    expect((await keysOf(app, other)).issuer).toBe(other._id);
  });

  it('changes nothing where an account, its keys or a file is missing', async () => {
    const file = folder('keys.json');
    const { app, developer, run } = await newService('store');
    await expect(run(developer, 'export', file)).rejects.toThrow('has no signing keys yet');
    await expect(run(developer, 'import', file)).rejects.toThrow('cannot be read (ENOENT)');
    const nobody = { ...developer, email: 'nobody@example.com' };
    await expect(run(nobody, 'export', file)).rejects.toThrow('There is no account');
    expect(fs.existsSync(file)).toBe(false);

    await keysOf(app, developer);
    fs.writeFileSync(file, 'kept');
    await expect(run(developer, 'export', file)).rejects.toThrow('exists already');
    await expect(run(developer, 'import', file)).rejects.toThrow('no exported signing keys');
    expect(fs.readFileSync(file, 'utf8')).toBe('kept');
  });
});
