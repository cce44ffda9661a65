import { useServices } from '../../test/services.js';
import { USERS } from '../auth/accounts/user.js';
import { replace } from '../storage/changes.js';
import { CustomerMail } from './customer-mail.service.js';

const MAIL = {
  SMTP_URL: 'smtp://mx.local',
  PUBLIC_URL: 'https://a.local',
  MAIL_FROM: 'a@a.example',
};

describe.each([
  [{ REGISTRATION: 'closed' }, 'the operator has not set up mail', false, false],
  [{ ...MAIL, REGISTRATION: 'open' }, 'anybody can register', false, false],
  [{ ...MAIL, REGISTRATION: 'open', CUSTOMER_MAIL: 'true' }, 'the operator allows it', false, true],
  [{ ...MAIL, REGISTRATION: 'closed' }, 'nobody can register', true, true],
  [{ ...MAIL, REGISTRATION: 'first', CUSTOMER_MAIL: 'false' }, 'it is forbidden', false, false],
])('Mail to clients with %j, where %s', (env, _why, ofUnconfirmed, ofConfirmed) => {
  const { the, put, addAccount, clock } = useServices(undefined, env);

  it(`is ${ofUnconfirmed ? '' : 'not '}allowed before the owner has confirmed their address, and ${ofConfirmed ? '' : 'not '}after`, async () => {
    const owner = await addAccount();
    const mail = the(CustomerMail);
    expect(await mail.isAllowed(owner.account)).toBe(ofUnconfirmed);
    await put(replace(USERS, owner, { ...owner, emailConfirmedAt: clock.now() }));
    expect(await mail.isAllowed(owner.account)).toBe(ofConfirmed);
  });
});
