import { AccountServices, PASSWORD } from '../../../test/account-services.js';
import { anIdempotencyRecord } from '../../../test/builders/idempotency-record.builder.js';
import { IDEMPOTENCY_RECORDS } from '../../shared/idempotency/idempotency-record.js';
import { NO_RECORDS, TOTALS } from '../../shared/quotas/account-totals.js';
import { increment } from '../../storage/changes.js';
import { LOGIN_ADDRESSES, SESSIONS } from '../sessions/session.js';
import { type AccountOverview } from './user.js';

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

  it('leaves nothing of a member that is removed, and everything of the others', async () => {
    const owner = await services.account();
    const member = await services.member(owner);
    for (const user of [owner, member]) await services.logIn(user);
    expect(await services.accounts.remove(member.email)).toBe('removed');
    expect(services.store.all(SESSIONS)).toMatchObject([{ user: owner._id }]);
    expect(services.store.all(LOGIN_ADDRESSES)).toMatchObject([{ user: owner._id }]);
  });

  describe('a change of the password', () => {
    it('is done once by 20 with one idempotency key, whose record has only its time', async () => {
      const user = await services.account();
      const idempotency = anIdempotencyRecord({ owner: user.account });
      const outcomes = await twenty(({ accounts }) =>
        accounts.changePassword(user, NEW_PASSWORD, own, idempotency),
      );
      const values = outcomes.map((one) => one.status === 'fulfilled' && one.value);
      expect(values.toSorted()).toStrictEqual([
        'changed',
        ...Array<string>(19).fill('done_before'),
      ]);
      const records = services.store.all(IDEMPOTENCY_RECORDS);
      const changedAt = services.clock.now();
      expect(records.map(({ result }) => result)).toStrictEqual([{ changedAt }]);
    });
  });
});
