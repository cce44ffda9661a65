import { Injectable } from '@nestjs/common';
import { EVENTS, SYSTEM } from '../../events/event.js';
import { hashOfToken } from '../../links/link.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { DataKeys } from '../../shared/sealing/data-keys.js';
import { open } from '../../shared/sealing/sealing.js';
import { Clock } from '../../shared/time/clock.js';
import { type Change, insert, replace } from '../../storage/changes.js';
import { NOT_STORED } from '../../storage/collection.js';
import { Store } from '../../storage/store.js';
import { idsOf, newAccountEvent, type User, USERS } from '../accounts/user.js';
import { LoginAddresses } from '../sessions/login-addresses.js';
import { CHALLENGE_LIFE, isSealedChallenge, SPENT_CHALLENGES } from './challenge.js';
import {
  isLocked,
  isRejected,
  normalRecoveryCode,
  type Outcome,
  spendRecoveryCode,
  stepOf,
  withWrongCode,
} from './codes.js';
import type { FactorKind, Factors } from './factors.js';
import { challengeOf, type PasskeyResponse, used } from './passkeys.js';
import { RelyingParty } from './relying-party.js';

/** The proof of a second factor that a caller sends. */
export type Proof =
  | { readonly code: string }
  | { readonly recoveryCode: string }
  | {
      readonly response: PasskeyResponse;
      /** The stored challenge that the passkey must sign, or the purpose of a sealed challenge. */
      readonly challenge: { readonly stored: string } | { readonly purpose: string };
    };

/** The outcome of a check. Its changes and `user` must be committed even if it is rejected. */
export interface Checked {
  readonly user: User;
  readonly changes: readonly Change[];
  readonly factor: FactorKind;
  readonly rejection?: DomainError;
  /** Whether it locks codes for a day. */
  readonly locks?: boolean;
}

/**
 * Checks second factors within a decision. The use of a code and the count of wrong codes are part of the
 * commit, so only one of many concurrent uses succeeds, and every guess counts.
 */
@Injectable()
export class FactorChecks {
  constructor(
    private readonly store: Store,
    private readonly addresses: LoginAddresses,
    private readonly dataKeys: DataKeys,
    private readonly relyingParty: RelyingParty,
    private readonly securityLog: SecurityLog,
    private readonly clock: Clock,
  ) {}

  check(user: User, proof: Proof, address: string): Promise<Checked> {
    if ('response' in proof) return this.checkPasskey(user, proof);
    return 'code' in proof
      ? this.checkCode(user, 'totp', address, () => this.useTotp(user, proof.code))
      : this.checkCode(user, 'recovery_code', address, () =>
          this.useRecoveryCode(user, proof.recoveryCode),
        );
  }

  /** The changes of a check to commit, in addition to other changes of the login. */
  changesOf(before: User, { user, changes }: Checked): Change[] {
    return user === before ? [...changes] : [replace(USERS, before, user), ...changes];
  }

  /** Logs a committed rejection. */
  logRejection({ user, rejection, locks }: Pick<Checked, 'user' | 'rejection' | 'locks'>): void {
    if (rejection?.code === 'WRONG_FACTOR') this.securityLog.record('wrong_factor', idsOf(user));
    if (locks) this.securityLog.record('codes_locked', idsOf(user));
  }

  /** The keyed hash of a recovery code of a login. */
  hashOf(user: Pick<User, '_id'>, recoveryCode: string): string {
    return this.dataKeys.hash('recovery code', user._id, normalRecoveryCode(recoveryCode));
  }

  /** The base32 secret of an authenticator app. */
  openSecret(user: Pick<User, '_id'>, sealedSecret: string): string {
    return open(this.dataKeys.sealing, sealedSecret, secretContext(user)).toString();
  }

  /** The change that uses up a sealed challenge; undefined if it has another purpose or was used before. */
  async spend(challenge: string, purpose: string, user: User): Promise<Change | undefined> {
    const now = this.clock.now();
    if (!isSealedChallenge(this.dataKeys, purpose, challenge, now)) return undefined;
    const _id = hashOfToken(challenge);
    if (await this.store.find(SPENT_CHALLENGES, { _id })) return undefined;
    const expiresAt = new Date(now.getTime() + CHALLENGE_LIFE);
    const spent = { _id, accountId: user.account, expiresAt, version: NOT_STORED };
    return insert(SPENT_CHALLENGES, spent);
  }

  private async checkPasskey(
    user: User,
    { response, challenge }: Extract<Proof, { response: unknown }>,
  ): Promise<Checked> {
    const rejection = new DomainError('WRONG_FACTOR');
    const rejected: Checked = { user, changes: [], factor: 'passkey', rejection };
    const { site } = this.relyingParty;
    const passkey = user.factors.passkeys.find(
      ({ credentialId, rpId }) => credentialId === response.id && rpId === site?.id,
    );
    if (!site || !passkey) return rejected;
    const isStored = 'stored' in challenge;
    const expected = isStored ? challenge.stored : challengeOf(response);
    const spent = isStored ? [] : [await this.spend(expected, challenge.purpose, user)];
    const changes = spent.filter((change) => change !== undefined);
    if (changes.length < spent.length) return rejected;
    const next = await used(passkey, response, expected, site, this.clock.now());
    if (!next) return rejected;
    const passkeys = user.factors.passkeys.map((one) => (one === passkey ? next : one));
    return {
      user: { ...user, factors: { ...user.factors, passkeys } },
      ...{ changes, factor: 'passkey' },
    };
  }

  private async checkCode(
    user: User,
    factor: FactorKind,
    address: string,
    use: () => Outcome<Factors>,
  ): Promise<Checked> {
    const now = this.clock.now();
    const isKnown = await this.addresses.isKnown(user.email, address);
    const { wrongCodes } = user;
    if (isRejected(wrongCodes, now, isKnown)) {
      const retryAfter = Math.ceil((wrongCodes!.lockedUntil!.getTime() - now.getTime()) / 1000);
      const rejection = new DomainError('TOO_MANY_WRONG_CODES', {}, { retryAfter });
      return { user, changes: [], factor, rejection };
    }
    const outcome = use();
    if (typeof outcome === 'object') {
      return { user: { ...user, factors: outcome.next }, changes: [], factor };
    }
    const rejection = new DomainError('WRONG_FACTOR');
    if (outcome === 'replayed') return { user, changes: [], factor, rejection };
    const after = { ...user, wrongCodes: withWrongCode(wrongCodes, now) };
    const isNewLock = !isLocked(wrongCodes, now) && isLocked(after.wrongCodes, now);
    const event = newAccountEvent('account.codes_locked', user, now, { by: SYSTEM });
    const changes = isNewLock ? [insert(EVENTS, event)] : [];
    return { user: after, changes, factor, rejection, locks: isNewLock };
  }

  private useTotp(user: User, code: string): Outcome<Factors> {
    const { factors } = user;
    const { totp } = factors;
    const step = totp && stepOf(code, this.openSecret(user, totp.sealedSecret), this.clock.now());
    if (!totp || step === null) return 'wrong';
    if (step <= totp.lastStep) return 'replayed';
    return { next: { ...factors, totp: { ...totp, lastStep: step } } };
  }

  private useRecoveryCode(user: User, code: string): Outcome<Factors> {
    const { factors } = user;
    const outcome = spendRecoveryCode(factors.recoveryCodes, this.hashOf(user, code));
    return typeof outcome === 'object'
      ? { next: { ...factors, recoveryCodes: outcome.next } }
      : outcome;
  }
}

/** The context that a login's sealed secret is bound to. */
export const secretContext = ({ _id }: Pick<User, '_id'>): string => `totp ${_id}`;
