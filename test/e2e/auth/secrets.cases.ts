import { TestApp } from '../../app.js';
import { ENGINES } from '../../engines.js';

const ADA = { name: 'Ada', email: 'ada@studio.example', password: 'planted lanterns 4711' };

const NEW_PASSWORD = 'planted kettles 4712';
const WRONG = {
  currentPassword: 'planted anchors 4713',
  newPassword: 'planted ladders 4714',
};
const KEY = 'planted-idempotency-key';

describe.each(ENGINES)('Secrets of an account on %s (S12)', (engine) => {
  it('are in no log and in no error', async () => {
    const app = await TestApp.start(engine, { LOG_LEVEL: 'trace' }, { argon2: true });
    const { body: tokens } = await app.post('/auth/register', ADA);
    const token = tokens.accessToken as string;
    await app.post('/auth/refresh', tokens);
    const change = (currentPassword: string, newPassword: string) => {
      const call = { token, headers: { 'Idempotency-Key': KEY } };
      return app.post('/auth/password', { currentPassword, newPassword }, call);
    };
    const changed = await change(ADA.password, NEW_PASSWORD);
    const rejections = [
      await app.post('/auth/register', ADA),
      await app.post('/auth/register', { ...ADA, email: 5 }),
      await app.post('/auth/login', { ...ADA, email: 'nobody@studio.example' }),
      await app.send('POST', '/auth/login', `{"password":"${ADA.password}"`),
      await app.post('/auth/refresh', tokens),
      await change(NEW_PASSWORD, NEW_PASSWORD),
      await change(NEW_PASSWORD, ADA.password),
      await app.post('/auth/password', WRONG, { token }),
      await app.get('/auth/me', { token: `${token.slice(0, -2)}xx` }),
    ];
    await app.stop();

    const told = [...app.log, ...rejections.map(({ body }) => JSON.stringify(body))].join('\n');
    expect(changed.status).toBe(204);
    expect(rejections.map(({ status }) => status)).toEqual([
      409, 400, 401, 400, 401, 400, 422, 403, 401,
    ]);
    const passwords = [ADA.password, NEW_PASSWORD, ...Object.values(WRONG)];
    for (const secret of [...passwords, KEY, '$argon2id$', token, tokens.refreshToken]) {
      expect(told).not.toContain(secret);
    }
  });
});
