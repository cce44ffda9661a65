import { AccountServices, PASSWORD } from '../../../test/account-services.js';
import { aPrincipal } from '../../../test/builders/principal.builder.js';
import { EmailConflictLimiter } from '../../rate-limits/email-conflict-limiter.js';
import type { Config } from '../../shared/config/config.js';
import type { RateLimitWindows } from '../../rate-limits/rate-limit-windows.js';
import { type User, USERS } from '../accounts/user.js';
import { InvitationsService } from './invitations.service.js';
import { MembersService } from './members.service.js';

const NO_LIMIT = { limits: { emailConflicts: { requests: 0, seconds: 1 } } } as Config;
const BOB = { email: 'bob@studio.example', role: 'viewer' } as const;

describe('An invitation', () => {
  let services: AccountServices;
  let members: MembersService;
  let owner: User;
  let inviter: User;
  let accept: () => Promise<User>;
  beforeEach(async () => {
    services = new AccountServices();
    const { store, decisions, accounts, securityLog, clock, hasher } = services;
    const conflicts = new EmailConflictLimiter(NO_LIMIT, {} as RateLimitWindows, clock);
    members = new MembersService(store, decisions, accounts, conflicts, securityLog, clock);
    const invitations = new InvitationsService(store, decisions, hasher, securityLog, clock);
    owner = await services.account();
    inviter = await services.member(owner);
    const { invitation } = await members.invite(aPrincipal(inviter), BOB);
    accept = () => invitations.accept(invitation!, { name: 'Bob', password: PASSWORD });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['its inviter gets a lower role', () => members.changeRole(inviter._id, 'support', byOwner())],
    ['its inviter is removed', () => members.remove(inviter._id, byOwner())],
    ['its inviter is disabled', () => services.accounts.disable(inviter.email)],
    ['the account is disabled', () => services.accounts.disable(owner.email)],
  ])('is not accepted where %s meanwhile', async (_what, end) => {
    services.beforeNextCommit(end);
    await expect(accept()).rejects.toMatchObject({ code: 'INVALID_INVITATION' });
    expect(services.store.all(USERS).map(({ email }) => email)).not.toContain(BOB.email);
  });

  const byOwner = () => aPrincipal(owner);
});
