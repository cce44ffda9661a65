import { manageUsers } from '../../../src/cli/manage-users.js';
import { TestApp } from '../../app.js';
import { SECRETS } from '../../engines.js';
import { useFolder } from '../../use-folder.js';
import { activate, createLicense, validationOf } from '../developer.js';

const email = 'ada@studio.example';

// The commands have their cases in src/cli, and beside a running service in test/smoke/accounts.
describe('npm run user', () => {
  const folder = useFolder();
  let env: NodeJS.ProcessEnv;

  beforeEach(() => {
    env = { ...SECRETS, DATA_DIR: folder('data'), REGISTRATION: 'closed' };
  });

  const run = async (...args: string[]) => {
    const texts: string[] = [];
    for await (const text of manageUsers(args, env)) texts.push(text);
    return texts.join('\n');
  };
  const passwordIn = (text: string) => /^Password: (.+)$/m.exec(text)?.[1];

  /** Does something with the service on the store, at the time by which the commands go. */
  const withService = async <T>(work: (app: TestApp) => Promise<T>): Promise<T> => {
    const app = await TestApp.start('SQLite', env, { argon2: true });
    app.clock.set(new Date().toISOString());
    try {
      return await work(app);
    } finally {
      await app.stop();
    }
  };
  const logIn = (app: TestApp, password: string | undefined) =>
    app.post('/auth/login', { email, password });
  /** A session, and an ACTIVE license. */
  const useAccount = (password: string | undefined) =>
    withService(async (app) => {
      const { body: session } = await logIn(app, password);
      const license = await createLicense(app, { ...session.user, token: session.accessToken });
      await activate(app, license);
      return { session, license };
    });

  it('creates an account, resets its password and disables it: every session has ended, and its licenses stay valid', async () => {
    const old = passwordIn(await run('create', 'Ada@Studio.example'));
    await expect(run('create', email)).rejects.toMatchObject({ code: 'EMAIL_ALREADY_REGISTERED' });
    const { session, license } = await useAccount(old);
    const password = passwordIn(await run('reset-password', email));
    await withService(async (app) => {
      expect((await app.post('/auth/refresh', session)).status).toBe(401);
      expect((await logIn(app, old)).status).toBe(401);
      expect((await logIn(app, password)).status).toBe(200);
    });
    await run('disable', email);
    await withService(async (app) => {
      expect((await logIn(app, password)).body).toMatchObject({ code: 'ACCOUNT_DISABLED' });
      expect(await validationOf(app, license)).toBe('active');
    });
    expect(await run('list')).toMatch(/\tdisabled .*\tclients 1\tprojects 1\tlicenses 1$/);
    await run('enable', email);
    expect((await withService((app) => logIn(app, password))).status).toBe(200);
  });
});
