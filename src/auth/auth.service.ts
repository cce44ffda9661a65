import { OutgoingMail } from '../mail/outgoing-mail.service.js';
import type { Change } from '../storage/changes.js';
import { EmailChanges } from './accounts/email-changes.service.js';
import { type CanActivate, Injectable } from '@nestjs/common';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { SecurityLog } from '../shared/logging/security-log.js';
import { AccountsService, type NewAccount } from './accounts/accounts.service.js';
import { CountedEvents } from '../events/counted-events.service.js';
import { SYSTEM } from '../events/event.js';
import { Clock } from '../shared/time/clock.js';
import { idsOf, newAccountEvent, type User } from './accounts/user.js';
import { dueFactors } from './factors/factors.js';
import { RelyingParty } from './factors/relying-party.js';
import { SignIn, type SignedIn } from './factors/sign-in.service.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { LoginAddresses } from './sessions/login-addresses.js';
import type { Device } from './sessions/session.js';
import { SessionsService } from './sessions/sessions.service.js';

/** Registers accounts and logs members in. Caller addresses are the addresses that rate limits count by. */
@Injectable()
export class AuthService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsService,
    private readonly passwords: PasswordsService,
    private readonly signIn: SignIn,
    private readonly relyingParty: RelyingParty,
    private readonly addresses: LoginAddresses,
    private readonly countedEvents: CountedEvents,
    private readonly emailChanges: EmailChanges,
    private readonly outgoing: OutgoingMail,
    private readonly securityLog: SecurityLog,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Whether registration is open now. With `first`, it stays open until an account exists. */
  async isRegistrationOpen(): Promise<boolean> {
    const { registration } = this.config;
    return registration === 'first' ? !(await this.accounts.anyExist()) : registration === 'open';
  }

  async register(account: NewAccount, device: Device): Promise<SignedIn> {
    const user =
      this.config.registration === 'first'
        ? await this.accounts.createFirst(account)
        : await this.accounts.create(account, (created) => this.emailCheckOf(created));
    this.securityLog.record('registration', idsOf(user));
    return { user, tokens: await this.sessions.start(user, device, { isFirst: true }) };
  }

  /** If anyone can register, the account mails nothing else until its owner has confirmed the address. */
  private emailCheckOf(user: User): Change[] {
    const isChecked = this.outgoing.isOn && this.config.registration === 'open';
    return isChecked ? this.emailChanges.linkTo(user, user.email) : [];
  }

  /** @throws DomainError FACTOR_REQUIRED if the password is correct and a second factor is required */
  async login(email: string, password: string, device: Device): Promise<SignedIn> {
    const { address } = device;
    const isKnown = await this.addresses.isKnown(email, address);
    const by = isKnown ? 'known_address' : 'stranger';
    const user = await this.accounts.findByEmail(email);
    const attempt = { address, account: email, by } as const;
    const isRight = await this.passwords.verify(user, password, attempt, () => {
      this.securityLog.record('login_failed', idsOf(user));
      if (!user) return;
      const event = newAccountEvent('account.login_failed', user, this.clock.now(), { by: SYSTEM });
      this.countedEvents.record(event);
    });
    if (!user || !isRight) throw new DomainError('INVALID_CREDENTIALS');
    const due = dueFactors(user.factors, this.relyingParty.site?.id);
    if (due.length > 0) throw await this.signIn.challenge(user, due);
    const tokens = await this.sessions.start(user, device);
    this.securityLog.record('login', idsOf(user));
    return { user, tokens };
  }
}

/** Rejects closed registration before the body is read. */
@Injectable()
export class OpenRegistrationGuard implements CanActivate {
  constructor(private readonly auth: AuthService) {}

  async canActivate(): Promise<true> {
    if (!(await this.auth.isRegistrationOpen())) throw new DomainError('REGISTRATION_CLOSED');
    return true;
  }
}
