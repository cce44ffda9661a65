import type { Session, StoredRefreshToken } from '../../src/auth/session.js';
import type { User } from '../../src/auth/user.js';
import { newObjectId } from '../../src/shared/ids/object-id.js';
import { at } from '../builders/time.js';
import { aUser } from '../builders/user.builder.js';
import { engines } from './engines.js';
import type { StoreUnderTest } from './store-under-test.js';

describe.each(engines)('sessions on $name', ({ open }) => {
  let store: StoreUnderTest;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  let tokens = 0;
  const aToken = (expiresAt = at(120)): StoredRefreshToken => ({
    tokenHash: `token-${++tokens}`,
    expiresAt,
  });

  const anAccount = async (on = store): Promise<User> => {
    const user = aUser();
    expect(await on.users.create(user)).toBe('created');
    return user;
  };

  const start = async (account: User, { tokenHash, expiresAt }: StoredRefreshToken) => {
    const session = { _id: newObjectId(), user: account._id, expiresAt };
    const login = { passwordHash: account.passwordHash, tokenHash };
    return { session, outcome: await store.sessions.start(session, login, at(0)) };
  };

  const started = async (): Promise<{ session: Session; first: string }> => {
    const token = aToken(at(60));
    const { session, outcome } = await start(await anAccount(), token);
    expect(outcome).toBe('started');
    return { session, first: token.tokenHash };
  };

  const spend = async (tokenHash: string, now = at(1)) =>
    (await store.sessions.rotate(tokenHash, aToken(), now)).outcome;

  it('spends a token once, and prolongs its session to the end of the successor', async () => {
    const { session, first } = await started();
    const second = aToken(at(90));
    expect(await store.sessions.rotate(first, second, at(1))).toStrictEqual({
      outcome: 'rotated',
      session: { ...session, expiresAt: at(90) },
    });
    expect(await spend(second.tokenHash, at(80))).toBe('rotated');
  });

  it('ends the session whose spent token is used again, with its newest token', async () => {
    const { first, session } = await started();
    const second = aToken();
    await store.sessions.rotate(first, second, at(1));
    expect(await store.sessions.rotate(first, aToken(), at(1))).toStrictEqual({
      outcome: 'replayed',
      session: { _id: session._id, user: session.user },
    });
    expect(await spend(second.tokenHash)).toBe('unknown');
    expect(await spend(first)).toBe('unknown');
  });

  it('knows neither a token that it never had nor one whose end has come', async () => {
    const { first } = await started();
    expect(await spend('never heard of')).toBe('unknown');
    expect(await spend(first, at(60))).toBe('unknown');
  });

  it('lets a token be spent until the last moment', async () => {
    const { first } = await started();
    expect(await spend(first, new Date(at(60).getTime() - 1))).toBe('rotated');
  });

  it('leaves other sessions of the same user alone', async () => {
    const user = await anAccount();
    const [desk, phone] = [aToken(), aToken()];
    for (const token of [desk, phone]) await start(user, token);
    await spend(desk.tokenHash);
    expect(await spend(desk.tokenHash)).toBe('replayed');
    expect(await spend(phone.tokenHash)).toBe('rotated');
  });

  it('ends a session by any of its tokens, spent or not', async () => {
    for (const end of ['spent', 'unspent'] as const) {
      const { first, session } = await started();
      const { _id, user } = session;
      const second = aToken();
      await store.sessions.rotate(first, second, at(1));
      const token = end === 'spent' ? first : second.tokenHash;
      expect(await store.sessions.end(token)).toStrictEqual({ _id, user });
      expect(await store.sessions.end(token)).toBeNull();
      expect(await spend(second.tokenHash)).toBe('unknown');
      expect(await spend(first)).toBe('unknown');
    }
  });

  it('does nothing at the end of a session that it does not know', async () => {
    const { first } = await started();
    expect(await store.sessions.end('never heard of')).toBeNull();
    expect(await spend(first)).toBe('rotated');
  });

  it('drops at a start what has expired, and nothing else', async () => {
    const own = await open();
    const { _id: user, passwordHash } = await anAccount(own);
    const start = (tokenHash: string, expiresAt: Date, now: Date) =>
      own.sessions.start({ _id: newObjectId(), user, expiresAt }, { passwordHash, tokenHash }, now);
    try {
      await start('ends at 10', at(10), at(0));
      await start('ends at 20', at(20), at(0));
      await own.sessions.rotate(
        'ends at 10',
        { tokenHash: 'ends at 30', expiresAt: at(30) },
        at(5),
      );
      await start('ends at 40', at(40), at(20));
      expect(await own.count('sessions')).toBe(2);
      expect(await own.count('refresh_tokens')).toBe(2);
      const next = { tokenHash: 'next', expiresAt: at(60) };
      expect((await own.sessions.rotate('ends at 30', next, at(21))).outcome).toBe('rotated');
    } finally {
      await own.close();
    }
  });

  it('gives a new token to at most one of 50 simultaneous uses, and ends the session', async () => {
    const { first } = await started();
    const uses = Array.from({ length: 50 }, () => aToken());
    const outcomes = await Promise.all(
      uses.map(async (successor) => {
        const { outcome } = await store.sessions.rotate(first, successor, at(1));
        return outcome;
      }),
    );
    expect(outcomes.filter((outcome) => outcome === 'rotated')).toHaveLength(1);
    expect(outcomes).toContain('replayed');
    for (const { tokenHash } of uses) expect(await spend(tokenHash)).toBe('unknown');
    expect(await spend(first)).toBe('unknown');
  });

  it('ends a session that is prolonged at the same moment', async () => {
    for (let round = 0; round < 20; round++) {
      const { first } = await started();
      const second = aToken();
      const rotate = () => store.sessions.rotate(first, second, at(1));
      const end = () => store.sessions.end(first);
      await Promise.all(round % 2 ? [rotate(), end()] : [end(), rotate()]);
      expect(await spend(second.tokenHash)).toBe('unknown');
    }
  });

  it('lets 20 sessions of one account start at the same moment', async () => {
    const user = await anAccount();
    const starts = await Promise.all(Array.from({ length: 20 }, () => start(user, aToken())));
    expect(starts.map(({ outcome }) => outcome)).toStrictEqual(Array(20).fill('started'));
  });

  it('starts none by a password that is not the account’s, or of an account that is not there', async () => {
    const user = await anAccount();
    const kept = async () => [await store.count('sessions'), await store.count('refresh_tokens')];
    const before = await kept();
    const outcomes = [
      await start({ ...user, passwordHash: 'of another password' }, aToken()),
      await start({ ...user, _id: newObjectId() }, aToken()),
    ];
    expect(outcomes.map(({ outcome }) => outcome)).toStrictEqual(Array(2).fill('password_changed'));
    expect(await kept()).toStrictEqual(before);
  });

  it('changes nothing of an account that its owner sees', async () => {
    const user = await anAccount();
    await start(user, aToken());
    expect(await store.users.findById(user._id)).toStrictEqual(user);
  });
});
