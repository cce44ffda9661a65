import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { manageUsers } from '../../../src/cli/manage-users.js';
import { TestApp } from '../../app.js';
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

  const passwordIn = (text: string) => /^Password: (.+)$/m.exec(text)?.[1];
  const email = 'ada@studio.example';

  it('creates an account that can log in, where registration is closed', async () => {
    const password = passwordIn(await manageUsers(['create', 'Ada@Studio.example'], env));
    const app = await TestApp.start(engine, env);
    const { status, body } = await app.post('/auth/login', { email, password });
    await app.stop();

    expect(status).toBe(200);
    expect(body.user).toMatchObject({ name: 'Ada', email });
  });

  it('resets a password: the old one is wrong, and every session has ended', async () => {
    const old = passwordIn(await manageUsers(['create', email], env));
    const before = await TestApp.start(engine, env);
    const { body: session } = await before.post('/auth/login', { email, password: old });
    await before.stop();
    const password = passwordIn(await manageUsers(['reset-password', email], env));
    const app = await TestApp.start(engine, env);

    expect((await app.post('/auth/login', { email, password: old })).status).toBe(401);
    expect((await app.post('/auth/refresh', session)).status).toBe(401);
    expect((await app.post('/auth/login', { email, password })).status).toBe(200);
    await app.stop();
  });

  it('refuses to create an account twice, or to reset one that does not exist', async () => {
    await manageUsers(['create', email], env);

    await expect(manageUsers(['create', 'ADA@studio.example'], env)).rejects.toMatchObject({
      code: 'EMAIL_ALREADY_REGISTERED',
    });
    await expect(manageUsers(['reset-password', 'bob@studio.example'], env)).rejects.toThrow(
      'There is no account bob@studio.example.',
    );
  });
});
