import { setImmediate } from 'node:timers/promises';
import { AccountsService } from '../../../src/auth/accounts/accounts.service.js';
import { PasswordHasher } from '../../../src/auth/passwords/password-hasher.js';
import { ENGINES } from '../../engines.js';
import { timesInScope } from '../../scope.js';
import { useApp } from '../use-app.js';
import { accountOn, NEW_PASSWORD, OLD_PASSWORD } from './account.js';

const ROUNDS = timesInScope(25);

type Account = Awaited<ReturnType<typeof accountOn>>;

/** Yields to other work this many times. */
async function yieldTimes(times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) await setImmediate();
}

describe.each(ENGINES)('A login while the password changes, on %s', (engine) => {
  const app = useApp(engine);

  const ways: [string, (account: Account) => Promise<unknown>][] = [
    ['its owner changes it', (account) => account.change()],
    [
      'the operator resets it',
      ({ email }) =>
        app.nest.get(AccountsService, { strict: false }).resetPassword(email, NEW_PASSWORD),
    ],
  ];

  describe.each(ways)('as %s', (_way, renew) => {
    it('starts no session by the old password, though it was right when it was verified', async () => {
      const account = await accountOn(app);
      const hasher = app.nest.get(PasswordHasher, { strict: false });
      const verify = hasher.verify.bind(hasher);
      jest.spyOn(hasher, 'verify').mockImplementationOnce(async (hash, password) => {
        const isRight = await verify(hash, password);
        await renew(account);
        return isRight;
      });
      const { status, body } = await account.logIn(OLD_PASSWORD);

      expect(status).toBe(401);
      expect(body).toMatchObject({ code: 'INVALID_CREDENTIALS' });
      expect((await account.logIn(NEW_PASSWORD)).status).toBe(200);
    });

    it(`leaves no session that was started by the old password, in ${ROUNDS} rounds`, async () => {
      const statuses: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const account = await accountOn(app);
        const [login] = await Promise.all([
          yieldTimes((round % 5) * 4).then(() => account.logIn(OLD_PASSWORD)),
          yieldTimes(round * 2).then(() => renew(account)),
        ]);
        statuses.push(login.status);
        if (login.status === 200) {
          expect((await app.post('/auth/refresh', login.body)).status).toBe(401);
        }
      }
      expect(statuses.filter((status) => status !== 200 && status !== 401)).toEqual([]);
    });
  });
});
