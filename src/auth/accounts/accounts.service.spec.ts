import { AccountServices, PASSWORD } from '../../../test/account-services.js';
import { anIdempotencyRecord } from '../../../test/builders/idempotency-record.builder.js';
import { aSession } from '../../../test/builders/session.builder.js';
import { IDEMPOTENCY_RECORDS } from '../../shared/idempotency/idempotency-record.js';
import { NO_RECORDS, TOTALS } from '../../shared/quotas/account-totals.js';
import { increment, insert, MAX_BATCH_SIZE, removeAll } from '../../storage/changes.js';
import { LOGIN_ADDRESSES, SESSIONS } from '../sessions/session.js';
import { type AccountOverview, type User, USERS } from './user.js';

const NEW_PASSWORD = 'nine loud kettles whistle';
const ADA = { name: 'Ada', email: 'ada@studio.example', password: PASSWORD };

describe('AccountsService', () => {
  let services: AccountServices;
  beforeEach(() => {
    services = new AccountServices();
  });

  const twenty = <T>(call: (instance: AccountServices) => Promise<T>) => {
    const instances = [services, services.another()];
    return Promise.allSettled(Array.from({ length: 20 }, (_, i) => call(instances[i % 2]!)));
  };
  const codesOf = (outcomes: PromiseSettledResult<unknown>[]) =>
    outcomes.map((one) =>
      one.status === 'fulfilled' ? 'ok' : (one.reason as { code: string }).code,
    );
  const times = (count: number, code: string) => Array<string>(count).fill(code);

  it('creates one of 20 accounts with the same e-mail address at the same time', async () => {
    const codes = codesOf(await twenty(({ accounts }) => accounts.create(ADA)));
    expect(codes.toSorted()).toStrictEqual([...times(19, 'EMAIL_ALREADY_REGISTERED'), 'ok']);
    expect(services.store.all(TOTALS)).toHaveLength(1);
  });

  it('finds an account whose address 0.5 stored decomposed, from addresses that it knows, and creates no other', async () => {
    const email = 'am\u00e9lie@studio.example';
    const user = await services.account({ email: email.normalize('NFD') });
    await services.logIn(user, '192.0.2.1');
    const found = await services.accounts.findByCredentials(email, PASSWORD);
    expect(found).toMatchObject({ user: { _id: user._id }, isRight: true });
    expect(await services.addresses.isKnown(email, '192.0.2.1')).toBe(true);
    const creation = services.accounts.create({ ...ADA, email });
    await expect(creation).rejects.toMatchObject({ code: 'EMAIL_ALREADY_REGISTERED' });
  });

  describe('the creation of the first account', () => {
    const createFirst = ({ accounts }: AccountServices, index = 0) =>
      accounts.createFirst({ ...ADA, email: `ada-${index}@studio.example` });

    it('is rejected where another instance creates it after the accounts were counted', async () => {
      jest.spyOn(services.store, 'count').mockImplementationOnce(async () => {
        await createFirst(services.another());
        return 0;
      });
      const rejected = { code: 'REGISTRATION_CLOSED' };
      await expect(createFirst(services, 1)).rejects.toMatchObject(rejected);
    });

    it('succeeds for exactly one of 20 at the same time, also once every account is deleted', async () => {
      for (let round = 0; round < 2; round++) {
        let index = 0;
        const codes = codesOf(await twenty((instance) => createFirst(instance, (index += 1))));
        expect(codes.toSorted()).toStrictEqual(['ok', ...times(19, 'REGISTRATION_CLOSED')].sort());
        expect(services.store.all(USERS)).toHaveLength(1);
        await services.store.commit([removeAll(USERS, {})]);
      }
    });
  });

  it('lists every account once, by e-mail address, with the numbers of its records', async () => {
    const emails = Array.from({ length: 201 }, (_, i) => `${String(i).padStart(3, '0')}@a.example`);
    for (const email of emails.toReversed()) await services.account({ email });
    const bob = await services.account({ email: 'bob@a.example', name: 'Bob' });
    await services.accounts.disable(bob.email);
    const counts = { clientsCount: 1, projectsCount: 2, licensesCount: 3 };
    await services.store.commit([increment(TOTALS, bob.account, counts)]);
    const listed: AccountOverview[] = [];
    for await (const account of services.accounts.list()) listed.push(account);
    expect(listed.map(({ email }) => email)).toStrictEqual([...emails, bob.email]);
    const { account, role, email, name, createdAt } = bob;
    const disabledAt = services.clock.now();
    expect(listed.at(-1)).toStrictEqual({
      ...{ account, role, email, name, createdAt, disabledAt },
      ...counts,
    });
    expect(listed[0]).toMatchObject({ disabledAt: null, ...NO_RECORDS });
  });

  const own = '000000000000000000000001';
  const change = ({ accounts }: AccountServices, user: User, password = NEW_PASSWORD) =>
    accounts.changePassword(user, password, own);

  describe.each<[string, (instance: AccountServices, user: User) => Promise<unknown>]>([
    ['a new password', ({ accounts }, { email }) => accounts.resetPassword(email, NEW_PASSWORD)],
    ['a changed password', change],
    ['disabling', ({ accounts }, { email }) => accounts.disable(email)],
  ])('%s', (_way, renew) => {
    it('ends the sessions of the account, also one that is prolonged meanwhile, and of nobody else', async () => {
      const [user, other] = [await services.account(), await services.account()];
      const [desk, phone] = [await services.logIn(user), await services.logIn(user)];
      const token = await services.logIn(other);
      let prolonged: string | undefined;
      services.beforeNextCommit(async () => (prolonged = await services.refresh(phone)));
      await renew(services, user);
      expect(await services.refresh(desk)).toBeUndefined();
      expect(await services.refresh(prolonged!)).toBeUndefined();
      expect(await services.refresh(token)).toBeDefined();
    });

    it('ends a session that starts meanwhile', async () => {
      const user = await services.account();
      let token: string | undefined;
      services.beforeNextCommit(async () => (token = await services.another().logIn(user)));
      await renew(services, user);
      expect(await services.refresh(token!)).toBeUndefined();
    });
  });

  it('goes on ending the sessions of an account while each commit ends as many as it can', async () => {
    const owner = await services.account();
    const commit = services.store.commit.bind(services.store);
    const left = aSession(await services.member(owner));
    jest
      .spyOn(services.store, 'commit')
      .mockImplementationOnce(commit)
      .mockImplementationOnce(async () => {
        await commit([insert(SESSIONS, left)]);
        return { ok: true, affected: MAX_BATCH_SIZE };
      });
    expect(await services.accounts.disable(owner.email)).toBe('disabled');
    expect(services.store.all(SESSIONS)).toEqual([]);
  });

  it('leaves nothing of a member that is removed, and everything of the others', async () => {
    const owner = await services.account();
    const member = await services.member(owner);
    for (const user of [owner, member]) await services.logIn(user);
    expect(await services.accounts.remove(member.email)).toBe('removed');
    expect(services.store.all(SESSIONS)).toMatchObject([{ user: owner._id }]);
    expect(services.store.all(LOGIN_ADDRESSES)).toMatchObject([{ user: owner._id }]);
  });

  describe('a change of the password', () => {
    it('is rejected where the verified password is no longer the current one', async () => {
      const user = await services.account();
      await change(services, user);
      const idempotency = anIdempotencyRecord({ owner: user.account });
      const again = services.accounts.changePassword(user, 'another one', own, idempotency);
      await expect(again).rejects.toMatchObject({ code: 'WRONG_PASSWORD' });
      expect(services.store.all(IDEMPOTENCY_RECORDS)).toStrictEqual([]);
    });

    it('succeeds for exactly one of 20 from one password at the same time', async () => {
      const user = await services.account();
      let index = 0;
      const outcomes = await twenty((instance) => change(instance, user, `password ${index++}`));
      const winner = codesOf(outcomes).indexOf('ok');
      expect(codesOf(outcomes).toSorted()).toStrictEqual([...times(19, 'WRONG_PASSWORD'), 'ok']);
      const { passwordHash } = await services.stored(user);
      expect(passwordHash).toBe(await services.hasher.hash(`password ${winner}`));
    });

    it('is done once by 20 with one idempotency key, whose record has only its time', async () => {
      const user = await services.account();
      const idempotency = anIdempotencyRecord({ owner: user.account });
      const outcomes = await twenty(({ accounts }) =>
        accounts.changePassword(user, NEW_PASSWORD, own, idempotency),
      );
      const values = outcomes.map((one) => one.status === 'fulfilled' && one.value);
      expect(values.toSorted()).toStrictEqual(['changed', ...times(19, 'done_before')]);
      const records = services.store.all(IDEMPOTENCY_RECORDS);
      const changedAt = services.clock.now();
      expect(records.map(({ result }) => result)).toStrictEqual([{ changedAt }]);
    });
  });
});
