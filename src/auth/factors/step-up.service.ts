import { Injectable } from '@nestjs/common';
import { DomainError } from '../../shared/errors/domain-error.js';
import { validationError } from '../../shared/errors/validation-error.js';
import { DataKeys } from '../../shared/sealing/data-keys.js';
import { Clock } from '../../shared/time/clock.js';
import { replace } from '../../storage/changes.js';
import { Decisions } from '../../storage/decisions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { USERS } from '../accounts/user.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import type { UserPrincipal } from '../principal.js';
import { SESSIONS } from '../sessions/session.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { sealedChallenge } from './challenge.js';
import { type Checked, FactorChecks, type Proof } from './factor-checks.service.js';
import { requireOneOf, type ConfirmationDto } from './dto/factor.dto.js';
import { dueFactors, stepUpFactors } from './factors.js';
import { type PasskeyOptions, requestOptions } from './passkeys.js';
import { RelyingParty } from './relying-party.js';

/** Confirms a session again, with a second factor if the login has one, otherwise with the password. */
@Injectable()
export class StepUp {
  constructor(
    private readonly decisions: Decisions,
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsService,
    private readonly passwords: PasswordsService,
    private readonly checks: FactorChecks,
    private readonly dataKeys: DataKeys,
    private readonly relyingParty: RelyingParty,
    private readonly clock: Clock,
  ) {}

  /** The options for a passkey of the caller; null if the login has none. */
  async passkeyOptions(caller: UserPrincipal): Promise<PasskeyOptions | null> {
    const { site } = this.relyingParty;
    if (!site || !caller.factors.includes('passkey')) return null;
    const { factors } = await this.accounts.get(caller.id);
    const challenge = sealedChallenge(this.dataKeys, purposeOf(caller), this.clock.now());
    return requestOptions(site, challenge, factors.passkeys);
  }

  /**
   * Confirms a session for the next ten minutes.
   *
   * @param address the caller's address, as counted by rate limits
   * @throws DomainError FACTOR_REQUIRED if the password is sent but a second factor is required;
   * WRONG_PASSWORD, WRONG_FACTOR, TOO_MANY_WRONG_CODES, TOO_MANY_REQUESTS, UNAUTHORIZED
   */
  async confirm(caller: UserPrincipal, sent: ConfirmationDto, address: string): Promise<void> {
    const { passwordHash } = await this.accounts.get(caller.id);
    const needsFactor = caller.factors.length > 0;
    if (needsFactor) requireOneOf(sent, ...FIELDS);
    else await this.requirePassword(caller, sent, address);
    const decide = async () => {
      const { user, session } = await this.sessions.ofCaller(caller);
      // If the password has changed since, the session has ended.
      if (user.passwordHash !== passwordHash) throw new DomainError('UNAUTHORIZED');
      const due = dueFactors(user.factors, this.relyingParty.site?.id);
      const proof = proofOf(caller, sent);
      // Also rejected if the last factor has been removed since, because then nothing was proved.
      if (!proof && (needsFactor || due.length > 0)) {
        throw new DomainError('FACTOR_REQUIRED', { factors: stepUpFactors(due) });
      }
      const checked: Partial<Checked> = proof ? await this.checks.check(user, proof, address) : {};
      const verified = { ...session, verifiedAt: this.clock.now() };
      const changes = [
        // Conflicts with any change of the second factors.
        ...(checked.user === user ? [] : [replace(USERS, user, checked.user ?? user)]),
        ...(checked.changes ?? []),
        ...(checked.rejection ? [] : [replace(SESSIONS, session, verified)]),
      ];
      return { result: { user, ...checked }, changes };
    };
    const { rejection, user, ...checked } = await this.decisions.run(decide, { key: caller.id });
    if (!rejection) return;
    this.checks.logRejection({ user, rejection, ...checked });
    throw rejection;
  }

  /** Confirms a single change, like {@link confirm}. */
  async require(caller: UserPrincipal, sent: ConfirmationDto, address: string): Promise<void> {
    if (caller.factors.length > 0) return this.confirm(caller, sent, address);
    return this.requirePassword(caller, sent, address);
  }

  private async requirePassword(
    caller: UserPrincipal,
    sent: ConfirmationDto,
    address: string,
  ): Promise<void> {
    requireOneOf(sent, ...FIELDS);
    if (sent.password == null) throw validationError({ password: ['password is required'] });
    await this.passwords.require(caller, sent.password, address);
  }
}

const FIELDS = ['password', 'code', 'response'] as const;

function proofOf(caller: UserPrincipal, { code, response }: ConfirmationDto): Proof | undefined {
  if (code != null) return { code };
  return response && { response, challenge: { purpose: purposeOf(caller) } };
}

const purposeOf = ({ session }: UserPrincipal) => `step up ${session}`;
