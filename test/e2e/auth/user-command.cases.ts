import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { manageUsers } from '../../../src/cli/manage-users.js';
import { TestApp } from '../../app.js';
import { activate, createLicense, validationOf } from '../developer.js';
import { ENGINES, newStore, SECRETS } from '../../engines.js';

describe.each(ENGINES)('npm run user on %s', (engine) => {
  let env: NodeJS.ProcessEnv;

  beforeEach(() => {
    env = {
      ...SECRETS,
      ...newStore(engine),
      DATA_DIR: fs.mkdtempSync(path.join(os.tmpdir(), 'license-service-')),
      REGISTRATION: 'closed',
    };
  });
  afterEach(() => fs.rmSync(String(env.DATA_DIR), { recursive: true }));

  const run = async (...args: string[]) => {
    const texts: string[] = [];
    for await (const text of manageUsers(args, env)) texts.push(text);
    return texts.join('\n');
  };

  /** The service on the store, at the time by which the commands go. */
  const start = async () => {
    const app = await TestApp.start(engine, env, { argon2: true });
    app.clock.set(new Date().toISOString());
    return app;
  };

  const passwordIn = (text: string) => /^Password: (.+)$/m.exec(text)?.[1];
  const email = 'ada@studio.example';

  it('creates an account that can log in, where registration is closed', async () => {
    const password = passwordIn(await run('create', 'Ada@Studio.example'));
    const app = await start();
    const { status, body } = await app.post('/auth/login', { email, password });
    await app.stop();

    expect(status).toBe(200);
    expect(body.user).toMatchObject({ name: 'Ada', email });
  });

  it('resets a password: the old one is wrong, and every session has ended', async () => {
    const old = passwordIn(await run('create', email));
    const before = await start();
    const { body: session } = await before.post('/auth/login', { email, password: old });
    await before.stop();
    const password = passwordIn(await run('reset-password', email));
    const app = await start();

    expect((await app.post('/auth/login', { email, password: old })).status).toBe(401);
    expect((await app.post('/auth/refresh', session)).status).toBe(401);
    expect((await app.post('/auth/login', { email, password })).status).toBe(200);
    await app.stop();
  });

  it('neither creates an account twice nor resets one that does not exist', async () => {
    await run('create', email);

    await expect(run('create', 'ADA@studio.example')).rejects.toMatchObject({
      code: 'EMAIL_ALREADY_REGISTERED',
    });
    await expect(run('reset-password', 'bob@studio.example')).rejects.toThrow(
      'There is no account bob@studio.example.',
    );
  });

  it('creates more accounts where registration is open for the first one alone', async () => {
    env.REGISTRATION = 'first';
    await run('create', email);
    await run('create', 'bob@studio.example');
    const app = await start();
    const eve = {
      name: 'Eve',
      email: 'eve@studio.example',
      password: 'seven quiet lanterns drift',
    };

    expect((await app.post('/auth/register', eve)).status).toBe(403);
    await app.stop();
    expect((await run('list')).split('\n').map((line) => line.split('\t')[0])).toEqual([
      email,
      'bob@studio.example',
    ]);
  });

  it('disables an account, whose licenses stay valid, and enables it again', async () => {
    const password = passwordIn(await run('create', email));
    const credentials = { email, password };
    const before = await start();
    const { body: session } = await before.post('/auth/login', credentials);
    const token = session.accessToken as string;
    const license = await createLicense(before, { ...session.user, token });
    await activate(before, license);
    await before.stop();
    expect(await run('disable', email)).toContain(`Account ${email} is disabled`);

    const app = await start();
    const rejected = await app.post('/auth/login', credentials);
    expect(rejected.status).toBe(403);
    expect(rejected.body).toMatchObject({ code: 'ACCOUNT_DISABLED' });
    const wrong = await app.post('/auth/login', { email, password: 'not this one at all' });
    const unknown = await app.post('/auth/login', { ...credentials, email: 'nobody@a.example' });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(Object.keys(wrong.body)).toEqual(Object.keys(unknown.body));
    expect((await app.post('/auth/refresh', session)).status).toBe(401);
    expect((await app.get('/auth/me', { token })).status).toBe(200);
    expect(await validationOf(app, license)).toBe('active');
    await app.stop();

    expect(await run('list')).toMatch(/\tdisabled .*\tclients 1\tprojects 1\tlicenses 1$/);
    await run('enable', email);
    const again = await start();
    expect((await again.post('/auth/login', credentials)).status).toBe(200);
    await again.stop();
  });

  it('deletes an account with all its records, and with active licenses only by --with-licenses', async () => {
    const password = passwordIn(await run('create', email));
    const before = await start();
    const { body: session } = await before.post('/auth/login', { email, password });
    const token = session.accessToken as string;
    const license = await createLicense(before, { ...session.user, token });
    await activate(before, license);
    await before.stop();
    await expect(run('delete', email)).rejects.toThrow(/has active licenses/);
    expect(await run('list')).toMatch(/\tenabled\tclients 1\tprojects 1\tlicenses 1$/);
    await run('delete', email, '--with-licenses');
    expect(await run('list')).toBe('There are no accounts.');
    await expect(run('delete', email)).rejects.toThrow(`There is no account ${email}.`);

    const app = await start();
    expect(await validationOf(app, license)).toBe('invalid');
    expect((await app.post('/auth/login', { email, password })).status).toBe(401);
    const client = { name: 'Acme', email: 'office@acme.example' };
    expect((await app.post('/clients', client, { token })).status).toBe(401);
    expect((await app.get('/auth/me', { token })).status).toBe(401);
    await app.stop();
    await run('create', email);
  });

  if (engine === 'SQLite') {
    it('deletes no account while the service runs, and says what to do', async () => {
      const app = await start();
      await run('create', email);

      await expect(run('delete', email)).rejects.toThrow(/^Another process is using the store/);
      await expect(run('list')).resolves.toContain(email);
      await app.stop();
    });
  } else {
    it('deletes an account beside the service', async () => {
      const app = await start();
      await run('create', email);

      expect(await run('delete', email)).toContain('is deleted');
      expect(await run('list')).toBe('There are no accounts.');
      await app.stop();
    });
  }
});
