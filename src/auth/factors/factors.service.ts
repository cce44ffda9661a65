import { Injectable } from '@nestjs/common';
import { EVENTS } from '../../events/event.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { DataKeys } from '../../shared/sealing/data-keys.js';
import { seal } from '../../shared/sealing/sealing.js';
import { Clock } from '../../shared/time/clock.js';
import { type Change, insert, replace } from '../../storage/changes.js';
import { Decisions } from '../../storage/decisions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { idsOf, newAccountEvent, type User, USERS } from '../accounts/user.js';
import type { UserPrincipal } from '../principal.js';
import { type Session, SESSIONS } from '../sessions/session.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { sealedChallenge } from './challenge.js';
import { newRecoveryCodes, newTotpSecret, stepOf, totpUri } from './codes.js';
import { FactorChecks, secretContext } from './factor-checks.service.js';
import {
  type FactorKind,
  type Factors,
  hasFactor,
  MAX_PASSKEYS,
  NO_FACTORS,
  type RecoveryCode,
} from './factors.js';
import {
  challengeOf,
  created,
  creationOptions,
  type NewPasskeyOptions,
  type NewPasskeyResponse,
} from './passkeys.js';
import { RelyingParty } from './relying-party.js';

/** A login and its session after a change of second factors. */
interface Changed {
  readonly factors: Factors;
  readonly passkeyHandle?: string;
  readonly session?: Session;
  readonly changes?: readonly Change[];
  /** The details for the event and the log. */
  readonly event: 'factor_added' | 'factor_removed' | 'recovery_codes_created';
  readonly factor?: FactorKind;
}

/** The second factors of the caller's own login. */
@Injectable()
export class FactorsService {
  constructor(
    private readonly decisions: Decisions,
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsService,
    private readonly checks: FactorChecks,
    private readonly dataKeys: DataKeys,
    private readonly relyingParty: RelyingParty,
    private readonly securityLog: SecurityLog,
    private readonly clock: Clock,
  ) {}

  async get({ id }: UserPrincipal): Promise<Factors> {
    return (await this.accounts.get(id)).factors;
  }

  /** A secret for an authenticator app. It takes effect once one of its codes is confirmed in the same session. */
  async setUpTotp(caller: UserPrincipal): Promise<{ secret: string; uri: string }> {
    const secret = newTotpSecret();
    const decide = async () => {
      const { user, session } = await this.sessions.ofCaller(caller);
      if (user.factors.totp) throw new DomainError('TOTP_EXISTS');
      const plain = Buffer.from(secret);
      const totpSetup = seal(this.dataKeys.sealing, plain, secretContext(user));
      return {
        result: { email: user.email },
        changes: [replace(SESSIONS, session, { ...session, totpSetup })],
      };
    };
    const { email } = await this.decisions.run(decide, { key: caller.id });
    return { secret, uri: totpUri(secret, email) };
  }

  /** @returns the recovery codes if this is the first factor */
  confirmTotp(caller: UserPrincipal, code: string): Promise<readonly string[] | null> {
    return this.change(caller, (user, session) => {
      if (user.factors.totp) throw new DomainError('TOTP_EXISTS');
      const { totpSetup: sealedSecret } = session;
      if (sealedSecret === null) throw new DomainError('TOTP_NOT_STARTED');
      const createdAt = this.clock.now();
      const lastStep = stepOf(code, this.checks.openSecret(user, sealedSecret), createdAt);
      if (lastStep === null) throw new DomainError('WRONG_FACTOR');
      const factors = { ...user.factors, totp: { sealedSecret, createdAt, lastStep } };
      const ended = { ...session, totpSetup: null };
      return { factors, session: ended, event: 'factor_added', factor: 'totp' };
    });
  }

  async passkeyOptions(caller: UserPrincipal): Promise<NewPasskeyOptions> {
    const site = this.relyingParty.requireSite();
    const user = await this.accounts.get(caller.id);
    const { passkeys } = user.factors;
    if (passkeys.length >= MAX_PASSKEYS) throw new DomainError('PASSKEY_QUOTA_REACHED');
    const challenge = sealedChallenge(this.dataKeys, purposeOf(caller), this.clock.now());
    const { email, name } = user;
    return creationOptions(site, challenge, { handle: this.handleOf(user), email, name }, passkeys);
  }

  /** @returns the recovery codes if this is the first factor */
  addPasskey(
    caller: UserPrincipal,
    name: string,
    response: NewPasskeyResponse,
  ): Promise<readonly string[] | null> {
    const site = this.relyingParty.requireSite();
    return this.change(caller, async (user) => {
      const { passkeys } = user.factors;
      if (passkeys.length >= MAX_PASSKEYS) throw new DomainError('PASSKEY_QUOTA_REACHED');
      const challenge = challengeOf(response);
      const spent = await this.checks.spend(challenge, purposeOf(caller), user);
      const passkey = spent && (await created(name, response, challenge, site, this.clock.now()));
      const isNew = passkeys.every(({ credentialId }) => credentialId !== passkey?.credentialId);
      if (!passkey || !isNew) throw new DomainError('PASSKEY_REJECTED');
      return {
        factors: { ...user.factors, passkeys: [...passkeys, passkey] },
        ...{ passkeyHandle: this.handleOf(user), changes: [spent] },
        ...{ event: 'factor_added', factor: 'passkey' },
      };
    });
  }

  /** Removes a factor: a passkey by its id, or `totp`. Removing the last one deletes the recovery codes. */
  async remove(_id: string, caller: UserPrincipal): Promise<void> {
    await this.change(caller, ({ factors: before }) => {
      const isTotp = _id === 'totp';
      const totp = isTotp ? null : before.totp;
      const passkeys = before.passkeys.filter((passkey) => passkey._id !== _id);
      const isFound = totp !== before.totp || passkeys.length < before.passkeys.length;
      if (!isFound) throw new DomainError('FACTOR_NOT_FOUND');
      const left = { ...before, totp, passkeys };
      return {
        factors: hasFactor(left) ? left : NO_FACTORS,
        ...{ event: 'factor_removed', factor: isTotp ? 'totp' : 'passkey' },
      };
    });
  }

  /**
   * Replaces the recovery codes.
   *
   * @throws DomainError FACTOR_NOT_FOUND if the login has no factor
   */
  async createRecoveryCodes(caller: UserPrincipal): Promise<readonly string[]> {
    const codes = await this.change(caller, ({ factors }) => {
      if (!hasFactor(factors)) throw new DomainError('FACTOR_NOT_FOUND');
      return { factors: { ...factors, recoveryCodes: [] }, event: 'recovery_codes_created' };
    });
    return codes!;
  }

  /**
   * Changes the caller's factors if neither the login nor the session has changed since. The first factor
   * ends the other sessions, because they were started without it.
   *
   * @returns recovery codes, if the login had none and now needs some
   */
  private async change(
    caller: UserPrincipal,
    work: (user: User, session: Session) => Changed | Promise<Changed>,
  ): Promise<readonly string[] | null> {
    const decide = async () => {
      const { user, session } = await this.sessions.ofCaller(caller);
      const changed = await work(user, session);
      const { event, factor, passkeyHandle = user.passkeyHandle } = changed;
      const isFirst = !hasFactor(user.factors) && hasFactor(changed.factors);
      const codes = isFirst || event === 'recovery_codes_created' ? newRecoveryCodes() : null;
      const factors = codes
        ? { ...changed.factors, recoveryCodes: codes.map((code) => this.toStored(user, code)) }
        : changed.factors;
      const now = this.clock.now();
      const others = isFirst ? await this.sessions.listOthers(caller) : [];
      const data = { ...(factor && { factor }) };
      const changes = [
        replace(USERS, user, { ...user, factors, passkeyHandle }),
        replace(SESSIONS, session, changed.session ?? session),
        insert(EVENTS, newAccountEvent(`account.${event}`, user, now, { data })),
        ...(changed.changes ?? []),
        ...others.flatMap((other) => this.sessions.endSession(other)),
      ];
      return { result: { codes, user, event }, changes };
    };
    const { codes, user, event } = await this.decisions.run(decide, { key: caller.id });
    this.securityLog.record(event, idsOf(user));
    return codes;
  }

  private toStored(user: User, code: string): RecoveryCode {
    return { hash: this.checks.hashOf(user, code), isSpent: false };
  }

  /**
   * 256 bits that look random. They are the same for each passkey of a login, even after a move to another
   * deployment.
   */
  private handleOf({ _id, passkeyHandle }: User): string {
    return passkeyHandle ?? this.dataKeys.hash('passkey handle', _id);
  }
}

const purposeOf = ({ session }: UserPrincipal) => `new passkey ${session}`;
