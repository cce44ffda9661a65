import type { User } from '../../../src/auth/accounts/user.js';
import { aLogin, aSession, aToken } from '../../builders/session.builder.js';
import { at } from '../../builders/time.js';
import { aUser } from '../../builders/user.builder.js';
import { timesInScope } from '../../scope.js';
import { engines } from '../engines.js';
import { race, twenty } from '../race.js';
import { useStore } from '../use-store.js';

describe.each(engines)('accounts on $name', ({ open }) => {
  const { store, stored } = useStore(open, { forEachTest: true });

  const logIn = async (user: User) => {
    const token = aToken();
    return { token, outcome: await store.sessions.start(aSession(user), aLogin(user, token)) };
  };

  describe('the first', () => {
    it('is created only while there is none', async () => {
      const first = aUser();
      expect(await store.users.exist()).toBe(false);
      expect(await store.users.createFirst(first)).toBe('created');
      expect(await store.users.exist()).toBe(true);
      expect(await store.users.findById(first._id)).toStrictEqual(first);
      const [second, same] = [aUser(), aUser({ email: first.email })];
      expect(await store.users.createFirst(second)).toBe('not_first');
      expect(await store.users.createFirst(same)).toBe('not_first');
      expect(await store.users.findById(second._id)).toBeNull();
    });

    it('is not created after an account was created otherwise', async () => {
      await stored.user();
      expect(await store.users.createFirst(aUser())).toBe('not_first');
    });

    it('is exactly one of 20 that are created at the same time', async () => {
      const outcomes = await twenty(() => store.users.createFirst(aUser()));
      expect(outcomes.toSorted()).toStrictEqual([
        'created',
        ...Array<string>(19).fill('not_first'),
      ]);
      expect(await store.count('users')).toBe(1);
    });

    it('can be created again once every account is deleted', async () => {
      const gone = aUser();
      await store.users.createFirst(gone);
      await store.accountDeletion.deleteEmpty(gone._id, at(1));
      expect(await store.users.exist()).toBe(false);
      const outcomes = await twenty(() => store.users.createFirst(aUser()));
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
    });
  });

  describe('the list', () => {
    it('has every account once, by e-mail address, with the numbers of its records', async () => {
      const [b, a, c] = [
        await stored.user({ email: 'b@example.com', name: 'Bob' }),
        await stored.user({ email: 'a@example.com' }),
        await stored.user({ email: 'c@example.com' }),
      ];
      await store.users.disable(c.email, at(5));
      const client = await stored.client({ owner: b._id });
      const { project } = await stored.project(client);
      await stored.licenseOf(project);
      const none = { clientsCount: 0, projectsCount: 0, licensesCount: 0 };
      const fieldsOf = ({ email, name, createdAt }: User) => ({ email, name, createdAt });

      const first = await store.users.list(undefined, 2);
      expect(first).toStrictEqual([
        { ...fieldsOf(a), disabledAt: null, ...none },
        {
          ...fieldsOf(b),
          disabledAt: null,
          ...{ clientsCount: 1, projectsCount: 1, licensesCount: 2 },
        },
      ]);
      const second = await store.users.list(first.at(-1)?.email, 2);
      expect(second).toStrictEqual([{ ...fieldsOf(c), disabledAt: at(5), ...none }]);
      expect(await store.users.list(c.email, 2)).toStrictEqual([]);
    });
  });

  describe('a disabled one', () => {
    it('has no session, and gets none until it is enabled', async () => {
      const [user, other] = [await stored.user(), await stored.user()];
      const [before, others] = [await logIn(user), await logIn(other)];
      expect(await store.users.disable(user.email, at(1))).toBe('disabled');
      const spend = async ({ token }: typeof before) => {
        const successor = { tokenHash: aToken(token).tokenHash, expiresAt: at(60) };
        return (await store.sessions.rotate(token, successor, at(2))).outcome;
      };
      expect(await spend(before)).toBe('unknown');
      expect(await spend(others)).toBe('rotated');
      expect((await logIn(user)).outcome).toBe('account_disabled');
      expect(await store.users.findById(user._id)).toStrictEqual({
        ...user,
        updatedAt: at(1),
        disabledAt: at(1),
      });

      expect(await store.users.enable(user.email, at(2))).toBe('enabled');
      expect((await logIn(user)).outcome).toBe('started');
      expect(await store.users.findById(user._id)).toStrictEqual({ ...user, updatedAt: at(2) });
    });

    it('is not disabled or enabled twice, and keeps the time at which it was disabled', async () => {
      const user = await stored.user();
      expect(await store.users.enable(user.email, at(1))).toBe('already_enabled');
      await store.users.disable(user.email, at(2));
      expect(await store.users.disable(user.email, at(3))).toBe('already_disabled');
      expect((await store.users.findById(user._id))?.disabledAt).toStrictEqual(at(2));
      expect(await store.users.disable('nobody@example.com', at(3))).toBe('not_found');
      expect(await store.users.enable('nobody@example.com', at(3))).toBe('not_found');
    });

    it('keeps no session that starts at the same time', async () => {
      for (let round = 0; round < timesInScope(50); round++) {
        const user = await stored.user();
        const disable = () => store.users.disable(user.email, at(1));
        await race(round, () => logIn(user), disable);
        expect(await store.count('sessions')).toBe(0);
      }
    });

    it('gets a new password and stays disabled', async () => {
      const user = await stored.user();
      await store.users.disable(user.email, at(1));
      await store.users.resetPassword(user._id, 'new hash', at(2));
      const outcome = (await logIn({ ...user, passwordHash: 'new hash' })).outcome;
      expect(outcome).toBe('account_disabled');
    });
  });
});
