import { PASSWORD, useServices } from '../../../test/services.js';
import { NO_RECORDS, TOTALS } from '../../shared/quotas/account-totals.js';
import { increment } from '../../storage/changes.js';
import { LoginAddresses } from '../sessions/login-addresses.js';
import { LOGIN_ADDRESSES, SESSIONS } from '../sessions/session.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { AccountsService } from './accounts.service.js';
import { type AccountOverview } from './user.js';

const ADA = { name: 'Ada', email: 'ada@studio.example', password: PASSWORD };
const ADDRESS = '192.0.2.1';

describe('AccountsService', () => {
  const { store, clock, the, put, addAccount, addMember } = useServices();
  let accounts: AccountsService;
  beforeEach(() => (accounts = the(AccountsService)));

  it('finds an account whose address 0.5 stored decomposed, from addresses that it knows, and creates no other', async () => {
    const email = 'am\u00e9lie@studio.example';
    const user = await addAccount({ email: email.normalize('NFD') });
    await the(SessionsService).start(user, ADDRESS);
    const found = await accounts.findByCredentials(email, PASSWORD);
    expect(found).toMatchObject({ user: { _id: user._id }, isRight: true });
    expect(await the(LoginAddresses).isKnown(email, ADDRESS)).toBe(true);
    const creation = accounts.create({ ...ADA, email });
    await expect(creation).rejects.toMatchObject({ code: 'EMAIL_ALREADY_REGISTERED' });
  });

  it('rejects the first account where another instance creates it after the accounts were counted', async () => {
    jest.spyOn(store, 'count').mockImplementationOnce(async () => {
      await accounts.createFirst({ ...ADA, email: 'bob@studio.example' });
      return 0;
    });
    const rejected = { code: 'REGISTRATION_CLOSED' };
    await expect(accounts.createFirst(ADA)).rejects.toMatchObject(rejected);
  });

  it('lists every account once, by e-mail address, with the numbers of its records', async () => {
    const emails = Array.from({ length: 201 }, (_, i) => `${String(i).padStart(3, '0')}@a.example`);
    for (const email of emails.toReversed()) await addAccount({ email });
    const bob = await addAccount({ email: 'bob@a.example', name: 'Bob' });
    await accounts.disable(bob.email);
    const counts = { clientsCount: 1, projectsCount: 2, licensesCount: 3 };
    await put(increment(TOTALS, bob.account, counts));
    const listed: AccountOverview[] = [];
    for await (const account of accounts.list()) listed.push(account);
    expect(listed.map(({ email }) => email)).toStrictEqual([...emails, bob.email]);
    const { account, role, email, name, createdAt } = bob;
    expect(listed.at(-1)).toStrictEqual({
      ...{ account, role, email, name, createdAt, disabledAt: clock.now() },
      ...counts,
    });
    expect(listed[0]).toMatchObject({ disabledAt: null, ...NO_RECORDS });
  });

  it('leaves nothing of a member that is removed, and everything of the others', async () => {
    const owner = await addAccount();
    const member = await addMember(owner);
    for (const user of [owner, member]) await the(SessionsService).start(user, ADDRESS);
    expect(await accounts.remove(member.email)).toBe('removed');
    expect(store.all(SESSIONS)).toMatchObject([{ user: owner._id }]);
    expect(store.all(LOGIN_ADDRESSES)).toMatchObject([{ user: owner._id }]);
  });
});
