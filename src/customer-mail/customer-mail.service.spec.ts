import { useServices } from '../../test/services.js';
import { USERS } from '../auth/accounts/user.js';
import { replace } from '../storage/changes.js';
import { CustomerMail } from './customer-mail.service.js';

const MAIL = {
  SMTP_URL: 'smtp://mx.local',
  PUBLIC_URL: 'https://a.local',
  MAIL_FROM: 'a@a.example',
};

const OPEN = { ...MAIL, REGISTRATION: 'open' };

describe.each([
  [{ REGISTRATION: 'closed' }, 'no_smtp', 'no_smtp'],
  [OPEN, 'unconfirmed_owner', 'customer_mail_off'],
  [{ ...OPEN, CUSTOMER_MAIL: 'true' }, 'unconfirmed_owner', null],
  [{ ...MAIL, REGISTRATION: 'closed' }, null, null],
  [
    { ...MAIL, REGISTRATION: 'first', CUSTOMER_MAIL: 'false' },
    ...(['customer_mail_off', 'customer_mail_off'] as const),
  ],
] as const)('Mail to clients with %j', (env, before, after) => {
  const { the, put, addAccount, clock } = useServices(undefined, env);

  it(`is blocked by ${before} before the owner has confirmed their address, and by ${after} afterwards`, async () => {
    const owner = await addAccount();
    const mail = the(CustomerMail);
    expect(await mail.obstacleFor(owner.account)).toBe(before);
    await put(replace(USERS, owner, { ...owner, emailConfirmedAt: clock.now() }));
    expect(await mail.obstacleFor(owner.account)).toBe(after);
  });
});
