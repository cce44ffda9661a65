import type { PasswordChange, User } from '../../../src/auth/accounts/user.js';
import { IdempotencyKeyTaken } from '../../../src/shared/idempotency/idempotency-record.js';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { anIdempotencyRecord } from '../../builders/idempotency-record.builder.js';
import { aLogin, aSession } from '../../builders/session.builder.js';
import { at } from '../../builders/time.js';
import { aUser } from '../../builders/user.builder.js';
import { timesInScope } from '../../scope.js';
import { engines } from '../engines.js';
import { race } from '../race.js';
import { useStore } from '../use-store.js';

describe.each(engines)('users on $name', ({ open }) => {
  const { store, stored } = useStore(open);

  /** The first token of a family. */
  const tokenOf = (name: string) => ({ familyHash: `family of ${name}`, tokenHash: name });

  const logIn = async (user: User, token: string) => {
    const session = aSession(user);
    const outcome = await store.sessions.start(session, aLogin(user, tokenOf(token)));
    return { session: session._id, outcome };
  };

  const aChange = (user: User, fields: Partial<PasswordChange> = {}): PasswordChange => ({
    user: user._id,
    session: newObjectId(),
    currentHash: user.passwordHash,
    newHash: 'new hash',
    at: at(9),
    ...fields,
  });

  const successorOf = (tokenHash: string) => ({
    tokenHash: `${tokenHash}-next`,
    expiresAt: at(120),
  });

  it('finds an account as it was stored, by its id and by its e-mail address', async () => {
    const user = await stored.user();
    expect(await store.users.findById(user._id)).toStrictEqual(user);
    expect(await store.users.findByEmail(user.email)).toStrictEqual(user);
  });

  it('finds no account that was not stored', async () => {
    expect(await store.users.findById(newAccountId())).toBeNull();
    expect(await store.users.findByEmail('nobody@example.com')).toBeNull();
  });

  it('accepts an e-mail address once', async () => {
    const first = await stored.user();
    const second = aUser({ email: first.email });
    expect(await store.users.create(second)).toBe('email_taken');
    expect(await store.users.findById(second._id)).toBeNull();
    expect(await store.users.findByEmail(first.email)).toStrictEqual(first);
  });

  it('creates exactly one of 20 simultaneous accounts with one e-mail address', async () => {
    const rivals = Array.from({ length: 20 }, () => aUser({ email: 'race@example.com' }));
    const outcomes = await Promise.all(rivals.map((user) => store.users.create(user)));
    const winner = rivals[outcomes.indexOf('created')];
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
    expect(await store.users.findByEmail('race@example.com')).toStrictEqual(winner);
  });

  const spend = async (token: string, now = at(10)) =>
    (await store.sessions.rotate(tokenOf(token), successorOf(token), now)).outcome;

  const WAYS: [string, (user: User) => Promise<unknown>][] = [
    ['a reset', (user) => store.users.resetPassword(user._id, 'new hash', at(9))],
    ['a change', (user) => store.users.changePassword(aChange(user))],
  ];

  describe.each(WAYS)('%s of the password', (way, renew) => {
    it('changes the password and the time of the change, and nothing else', async () => {
      const user = await stored.user();
      await renew(user);
      expect(await store.users.findById(user._id)).toStrictEqual({
        ...user,
        passwordHash: 'new hash',
        updatedAt: at(9),
      });
    });

    it('ends the sessions of the account, and nobody else’s', async () => {
      const [user, other] = [await stored.user(), await stored.user()];
      await logIn(user, `${way}, desk`);
      await logIn(user, `${way}, phone`);
      await logIn(other, `${way}, other`);
      const before = await store.count('sessions');
      await renew(user);
      expect(await store.count('sessions')).toBe(before - 2);
      expect(await spend(`${way}, desk`)).toBe('unknown');
      expect(await spend(`${way}, phone`)).toBe('unknown');
      expect(await spend(`${way}, other`)).toBe('rotated');
    });

    it('ends a session that is prolonged at the same time', async () => {
      for (let round = 0; round < timesInScope(20); round++) {
        const user = await stored.user();
        const token = `${way}, prolonged ${round}`;
        await logIn(user, token);
        await race(
          round,
          () => spend(token, at(1)),
          () => renew(user),
        );
        const next = { ...tokenOf(token), ...successorOf(token) };
        const { outcome } = await store.sessions.rotate(next, successorOf('next'), at(2));
        expect(outcome).toBe('unknown');
      }
    });

    it('keeps no session that starts by the old password at the same time', async () => {
      for (let round = 0; round < timesInScope(50); round++) {
        const user = await stored.user();
        const token = `${way}, started ${round}`;
        await race(
          round,
          () => logIn(user, token),
          () => renew(user),
        );
        expect(await spend(token)).toBe('unknown');
      }
    });
  });

  describe('a change of the password', () => {
    it('keeps the session that changes it', async () => {
      const user = await stored.user();
      const { session } = await logIn(user, 'own desk');
      await logIn(user, 'own phone');
      expect(await store.users.changePassword(aChange(user, { session }))).toStrictEqual({
        changedAt: at(9),
      });
      expect(await spend('own desk')).toBe('rotated');
      expect(await spend('own phone')).toBe('unknown');
    });

    it('changes nothing by a wrong current password or for a missing account', async () => {
      const user = await stored.user();
      await logIn(user, 'undisturbed');
      const change = aChange(user, { currentHash: 'of another password' });
      const idempotency = anIdempotencyRecord();
      expect(await store.users.changePassword(change, idempotency)).toBe('wrong_password');
      expect(await store.users.changePassword(aChange(aUser()))).toBe('wrong_password');
      expect(await store.users.findById(user._id)).toStrictEqual(user);
      expect(await store.idempotency.find(idempotency._id, at(1))).toBeNull();
      expect(await spend('undisturbed')).toBe('rotated');
    });

    it('succeeds for exactly one of 10 changes from one password at the same time', async () => {
      const user = await stored.user();
      const hashes = Array.from({ length: 10 }, (_, index) => `hash ${index}`);
      const outcomes = await Promise.all(
        hashes.map((newHash) => store.users.changePassword(aChange(user, { newHash }))),
      );
      const winners = hashes.filter((_, index) => outcomes[index] !== 'wrong_password');
      expect(winners).toStrictEqual([(await store.users.findById(user._id))?.passwordHash]);
    });

    it('stores only its time in the idempotency record', async () => {
      const idempotency = anIdempotencyRecord();
      const changed = await store.users.changePassword(aChange(await stored.user()), idempotency);
      expect(changed).toStrictEqual({ changedAt: at(9) });
      expect(await store.idempotency.find(idempotency._id, at(1))).toStrictEqual({
        requestHash: idempotency.requestHash,
        result: { changedAt: at(9) },
      });
    });

    it('changes nothing where its idempotency key is taken', async () => {
      const user = await stored.user();
      const idempotency = anIdempotencyRecord();
      await store.users.changePassword(aChange(user), idempotency);
      const changed = { ...user, passwordHash: 'new hash', updatedAt: at(9) };
      await logIn(changed, 'after the first');
      const again = aChange(changed, { newHash: 'newer hash' });
      await expect(store.users.changePassword(again, idempotency)).rejects.toThrow(
        IdempotencyKeyTaken,
      );
      expect(await store.users.findById(user._id)).toStrictEqual(changed);
      expect(await spend('after the first')).toBe('rotated');
    });

    it('is done once by 10 with one idempotency key at the same time', async () => {
      const user = await stored.user();
      const idempotency = anIdempotencyRecord();
      const twins = await Promise.allSettled(
        Array.from({ length: 10 }, () => store.users.changePassword(aChange(user), idempotency)),
      );
      const done = twins.filter(({ status }) => status === 'fulfilled');
      expect(done).toStrictEqual([{ status: 'fulfilled', value: { changedAt: at(9) } }]);
      const rejected = twins.filter(({ status }) => status === 'rejected');
      expect(rejected).toStrictEqual(
        Array(9).fill({ status: 'rejected', reason: new IdempotencyKeyTaken() }),
      );
    });
  });
});
