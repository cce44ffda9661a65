import { Injectable } from '@nestjs/common';
import { bindingTo, hashOfToken, newToken } from '../../links/link.js';
import { LoginLimiter } from '../../limits/login-limiter.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import type { ErrorCode } from '../../shared/errors/error-codes.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { DataKeys } from '../../shared/sealing/data-keys.js';
import { Clock } from '../../shared/time/clock.js';
import { insert, remove, replace } from '../../storage/changes.js';
import { NOT_STORED } from '../../storage/collection.js';
import { Decisions } from '../../storage/decisions.js';
import { Store } from '../../storage/store.js';
import { idsOf, type User, USERS } from '../accounts/user.js';
import type { Device } from '../sessions/session.js';
import { SessionsService, type TokenPair } from '../sessions/sessions.service.js';
import {
  type Challenge,
  CHALLENGE_LIFE,
  CHALLENGES,
  MAX_TRIES,
  sealedChallenge,
} from './challenge.js';
import { type LoginFactorDto, requireOneOf } from './dto/factor.dto.js';
import { type Checked, FactorChecks } from './factor-checks.service.js';
import type { FactorKind } from './factors.js';
import { type PasskeyOptions, type PasskeyResponse, requestOptions } from './passkeys.js';
import { RelyingParty } from './relying-party.js';

export interface SignedIn {
  readonly user: User;
  readonly tokens: TokenPair;
}

/** Signs in with a second factor after the password, or with a passkey alone. */
@Injectable()
export class SignIn {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly sessions: SessionsService,
    private readonly checks: FactorChecks,
    private readonly limiter: LoginLimiter,
    private readonly dataKeys: DataKeys,
    private readonly relyingParty: RelyingParty,
    private readonly securityLog: SecurityLog,
    private readonly clock: Clock,
  ) {}

  /** The rejection of a correct password if a second factor is required. */
  async challenge(user: User, factors: readonly FactorKind[]): Promise<DomainError> {
    const challenge = newToken();
    const { site } = this.relyingParty;
    const passkeyOptions =
      site && factors.includes('passkey')
        ? await requestOptions(site, challenge, user.factors.passkeys)
        : null;
    const record: Challenge = {
      _id: hashOfToken(challenge),
      user: user._id,
      accountId: user.account,
      boundTo: bindingTo(user.passwordHash),
      tries: 0,
      expiresAt: new Date(this.clock.now().getTime() + CHALLENGE_LIFE),
      version: NOT_STORED,
    };
    await this.decisions.commit([insert(CHALLENGES, record)]);
    return new DomainError('FACTOR_REQUIRED', { challenge, factors, passkeyOptions });
  }

  /** Signs in with a second factor. */
  async withFactor(sent: LoginFactorDto, device: Device): Promise<SignedIn> {
    requireOneOf(sent, 'code', 'response', 'recoveryCode');
    const { challenge, code, recoveryCode, response } = sent;
    const proof =
      response != null
        ? { response, challenge: { stored: challenge } }
        : code != null
          ? { code }
          : { recoveryCode: recoveryCode! };
    return this.countingFailures(device, async () => {
      const { user: _id } = await this.requireChallenge(challenge);
      const verified = await this.store.find(USERS, { _id });
      if (!verified) throw new DomainError('INVALID_CHALLENGE');
      return this.start(verified, device, async (user) => {
        const stored = await this.requireChallenge(challenge);
        if (stored.boundTo !== bindingTo(user.passwordHash)) {
          throw new DomainError('INVALID_CHALLENGE');
        }
        const checked = await this.checks.check(user, proof, device.address);
        const change = checked.rejection
          ? replace(CHALLENGES, stored, { ...stored, tries: stored.tries + 1 })
          : remove(CHALLENGES, stored);
        return { ...checked, changes: [...checked.changes, change] };
      });
    });
  }

  async passkeyOptions(): Promise<PasskeyOptions> {
    const site = this.relyingParty.requireSite();
    return requestOptions(site, sealedChallenge(this.dataKeys, SIGN_IN, this.clock.now()));
  }

  /** Signs in with a passkey alone, which verified its user. */
  async withPasskey(response: PasskeyResponse, device: Device): Promise<SignedIn> {
    const { userHandle } = response.response ?? {};
    return this.countingFailures(device, async () => {
      const verified =
        typeof userHandle === 'string'
          ? await this.store.find(USERS, { passkeyHandle: userHandle })
          : null;
      if (!verified) throw new DomainError('WRONG_FACTOR');
      const proof = { response, challenge: { purpose: SIGN_IN } };
      return this.start(verified, device, (user) => this.checks.check(user, proof, device.address));
    });
  }

  private async start(
    user: User,
    device: Device,
    check: (user: User) => Promise<Checked>,
  ): Promise<SignedIn> {
    const tokens = await this.sessions.start(user, device, { check });
    this.securityLog.record('login', idsOf(user));
    return { user, tokens };
  }

  /** Counts a wrong factor like a wrong password from this address. */
  private async countingFailures<T>({ address }: Device, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DomainError && COUNTED.includes(error.code)) {
        await this.limiter.countFailure(address, () =>
          this.securityLog.record('lockout', { limit: 'address' }),
        );
      }
      throw error;
    }
  }

  private async requireChallenge(challenge: string): Promise<Challenge> {
    const found = await this.store.find(CHALLENGES, { _id: hashOfToken(challenge) });
    if (!found || found.tries >= MAX_TRIES || found.expiresAt <= this.clock.now()) {
      throw new DomainError('INVALID_CHALLENGE');
    }
    return found;
  }
}

const COUNTED: readonly ErrorCode[] = ['WRONG_FACTOR', 'INVALID_CHALLENGE'];

/** The purpose of a challenge for anyone who signs in. */
const SIGN_IN = 'sign in';
