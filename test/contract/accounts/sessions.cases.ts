import {
  type LoginHashes,
  MAX_SESSIONS,
  type RefreshTokenHashes,
  type Session,
  SESSION_LIFE,
} from '../../../src/auth/sessions/session.js';
import type { User } from '../../../src/auth/accounts/user.js';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { aLogin, aSession, aToken } from '../../builders/session.builder.js';
import { at } from '../../builders/time.js';
import { timesInScope } from '../../scope.js';
import { engines, onSqlite } from '../engines.js';
import { race, twenty } from '../race.js';
import { useStore } from '../use-store.js';

const later = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds);

describe.each(engines)('sessions on $name', ({ open }) => {
  const { store, stored } = useStore(open);

  const start = (user: User, login: LoginHashes = aLogin(user), fields: Partial<Session> = {}) =>
    store.sessions.start(aSession(user, fields), login);

  const started = async (fields: Partial<Session> = {}) => {
    const user = await stored.user();
    const session = aSession(user, fields);
    const first = aToken();
    expect(await store.sessions.start(session, aLogin(user, first))).toBe('started');
    return { session, first };
  };

  /** Spends a token for the next one of its family. */
  const rotate = async (token: RefreshTokenHashes, now = at(1), expiresAt = at(120)) => {
    const next = aToken(token);
    const successor = { tokenHash: next.tokenHash, expiresAt };
    return { next, rotation: await store.sessions.rotate(token, successor, now) };
  };

  const spend = async (token: RefreshTokenHashes, now = at(1)) =>
    (await rotate(token, now)).rotation.outcome;

  it('spends a token, and prolongs its session to the end of the successor', async () => {
    const { session, first } = await started();
    const { next, rotation } = await rotate(first, at(1), at(90));
    expect(rotation).toStrictEqual({
      outcome: 'rotated',
      session: { ...session, expiresAt: at(90) },
    });
    expect(await spend(next, at(80))).toBe('rotated');
  });

  it('prolongs no session beyond its maximum lifetime, however often it is refreshed', async () => {
    const { session, first } = await started();
    const end = later(session.startedAt, SESSION_LIFE);
    const { next, rotation } = await rotate(first, at(1), later(end, 1));
    expect(rotation).toMatchObject({ outcome: 'rotated', session: { expiresAt: end } });
    const last = await rotate(next, later(end, -1), later(end, 60_000));
    expect(last.rotation).toMatchObject({ outcome: 'rotated', session: { expiresAt: end } });
    expect(await spend(last.next, end)).toBe('unknown');
  });

  it.each([1, 2, 50])(
    'S6: ends the session whose token, spent %i generations ago, is used again',
    async (generations) => {
      const { session, first } = await started();
      let latest = first;
      for (let i = 0; i < generations; i++) latest = (await rotate(latest)).next;
      expect((await rotate(first)).rotation).toStrictEqual({
        outcome: 'replayed',
        session: { ...session, expiresAt: at(120) },
      });
      expect(await spend(latest)).toBe('unknown');
      expect(await spend(first)).toBe('unknown');
    },
  );

  it('rejects an unknown and an expired token', async () => {
    const { first } = await started();
    expect(await spend(aToken())).toBe('unknown');
    expect(await spend(first, at(60))).toBe('unknown');
    expect(await spend(aToken(first), at(60))).toBe('unknown');
  });

  it('accepts a token until a millisecond before its expiry', async () => {
    const { first } = await started();
    expect(await spend(first, later(at(60), -1))).toBe('rotated');
  });

  it('does not affect other sessions of the same user', async () => {
    const user = await stored.user();
    const [desk, phone] = [aToken(), aToken()];
    for (const token of [desk, phone]) await start(user, aLogin(user, token));
    await spend(desk);
    expect(await spend(desk)).toBe('replayed');
    expect(await spend(phone)).toBe('rotated');
  });

  it('ends a session by any of its tokens, spent or not', async () => {
    for (const end of ['spent', 'unspent'] as const) {
      const { session, first } = await started();
      const { next } = await rotate(first);
      const token = end === 'spent' ? first : next;
      expect(await store.sessions.end(token)).toMatchObject({
        _id: session._id,
        user: session.user,
      });
      expect(await store.sessions.end(token)).toBeNull();
      expect(await spend(next)).toBe('unknown');
      expect(await spend(first)).toBe('unknown');
    }
  });

  it('ends no session for an unknown token', async () => {
    const { first } = await started();
    expect(await store.sessions.end(aToken())).toBeNull();
    expect(await spend(first)).toBe('rotated');
  });

  it(`keeps ${MAX_SESSIONS} sessions of an account: one more ends the session that expires first`, async () => {
    const [user, other] = [await stored.user(), await started()];
    const tokens = Array.from({ length: MAX_SESSIONS }, () => aToken());
    for (const [index, token] of tokens.entries()) {
      await start(user, aLogin(user, token), { expiresAt: at(index === 7 ? 50 : 60) });
    }
    const before = await store.count('sessions');
    const [oneMore, andAnother] = [aToken(), aToken()];
    await start(user, aLogin(user, oneMore));
    expect(await spend(tokens[7]!)).toBe('unknown');
    await start(user, aLogin(user, andAnother), { expiresAt: at(40) });
    expect(await store.count('sessions')).toBe(before);
    for (const token of [oneMore, andAnother, other.first]) {
      expect(await spend(token)).toBe('rotated');
    }
  });

  it('gives a new token to at most one of 50 simultaneous uses, and ends the session', async () => {
    const { first } = await started();
    const uses = await Promise.all(Array.from({ length: 50 }, () => rotate(first)));
    const outcomes = uses.map(({ rotation }) => rotation.outcome);
    expect(outcomes.filter((outcome) => outcome === 'rotated')).toHaveLength(1);
    expect(outcomes).toContain('replayed');
    for (const { next } of uses) expect(await spend(next)).toBe('unknown');
    expect(await spend(first)).toBe('unknown');
  });

  it('ends a session that is prolonged at the same time', async () => {
    for (let round = 0; round < timesInScope(20); round++) {
      const { first } = await started();
      const next = aToken(first);
      const successor = { tokenHash: next.tokenHash, expiresAt: at(120) };
      const prolong = () => store.sessions.rotate(first, successor, at(1));
      const end = () => store.sessions.end(first);
      await race(round, prolong, end);
      expect(await spend(next)).toBe('unknown');
    }
  });

  it('starts 20 sessions of one account at the same time', async () => {
    const user = await stored.user();
    expect(await twenty(() => start(user))).toStrictEqual(Array(20).fill('started'));
  });

  it('starts none by a wrong password or of a missing account', async () => {
    const user = await stored.user();
    const before = await store.count('sessions');
    const wrong = aLogin(user, { passwordHash: 'of another password' });
    const outcomes = [await start(user, wrong), await start({ ...user, _id: newAccountId() })];
    expect(outcomes).toStrictEqual(Array(2).fill('password_changed'));
    expect(await store.count('sessions')).toBe(before);
    expect(await store.sessions.isKnownAddress(wrong.addressHash)).toBe(false);
  });

  it('starts none of a disabled account, and tells so only by its right password', async () => {
    const user = await stored.user();
    await store.users.disable(user.email, at(1));
    const login = aLogin(user);
    expect(await start(user, login)).toBe('account_disabled');
    expect(await start(user, { ...login, passwordHash: 'wrong' })).toBe('password_changed');
    expect(await store.sessions.isKnownAddress(login.addressHash)).toBe(false);
  });

  it('changes no field of the account at a start', async () => {
    const user = await stored.user();
    await start(user);
    expect(await store.users.findById(user._id)).toStrictEqual(user);
  });
});

describe.each(onSqlite)('the start of a session on $name', ({ open }) => {
  const { store, stored } = useStore(open, { forEachTest: true });

  it('deletes expired sessions, and no others', async () => {
    const user = await stored.user();
    const token = aToken();
    const begin = (expiresAt: Date, startedAt: Date, first = aToken()) =>
      store.sessions.start(aSession(user, { startedAt, expiresAt }), aLogin(user, first));
    await begin(at(10), at(0), token);
    await begin(at(20), at(0));
    const next = aToken(token);
    await store.sessions.rotate(token, { tokenHash: next.tokenHash, expiresAt: at(30) }, at(5));
    await begin(at(40), at(20));
    expect(await store.count('sessions')).toBe(2);
    const last = { tokenHash: 'last', expiresAt: at(60) };
    expect((await store.sessions.rotate(next, last, at(21))).outcome).toBe('rotated');
  });

  it('deletes at most 100 expired sessions', async () => {
    const fill = async () => {
      const user = await stored.user();
      const begin = () => store.sessions.start(aSession(user), aLogin(user));
      for (let i = 0; i < 50; i++) await begin();
    };
    await Promise.all([fill(), fill(), fill()]);
    const user = await stored.user();
    const times = { startedAt: at(60), expiresAt: at(90) };
    await store.sessions.start(aSession(user, times), aLogin(user));
    expect(await store.count('sessions')).toBe(51);
    await store.sessions.start(aSession(user, times), aLogin(user));
    expect(await store.count('sessions')).toBe(2);
  });
});
