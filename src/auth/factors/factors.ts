export const FACTOR_KINDS = ['totp', 'passkey', 'recovery_code'] as const;
export type FactorKind = (typeof FACTOR_KINDS)[number];

/** An authenticator app. */
export interface Totp {
  readonly sealedSecret: string;
  readonly createdAt: Date;
  /** The last accepted time step; later codes must have a later step. */
  readonly lastStep: number;
}

export interface Passkey {
  readonly _id: string;
  readonly name: string;
  /** Assigned by the authenticator, base64url. */
  readonly credentialId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  /** The domain it was created for. It works at no other domain. */
  readonly rpId: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** A used code stays stored, because replaying it does not count as a wrong code. */
export interface RecoveryCode {
  /** Keyed. */
  readonly hash: string;
  readonly isSpent: boolean;
}

/** The second factors of a login. */
export interface Factors {
  readonly totp: Totp | null;
  readonly passkeys: readonly Passkey[];
  readonly recoveryCodes: readonly RecoveryCode[];
}

export const NO_FACTORS: Factors = { totp: null, passkeys: [], recoveryCodes: [] };

export const MAX_PASSKEYS = 10;

export const hasFactor = ({ totp, passkeys }: Factors): boolean =>
  totp !== null || passkeys.length > 0;

export const unspent = ({ recoveryCodes }: Factors): RecoveryCode[] =>
  recoveryCodes.filter(({ isSpent }) => !isSpent);

/**
 * The factors accepted in addition to a password; empty if none is needed. Passkeys of another domain do
 * not count, because no browser could use them.
 *
 * @param rpId the domain of this deployment's passkeys, if it has one
 */
export function dueFactors(factors: Factors, rpId: string | undefined): FactorKind[] {
  const isSet: Record<FactorKind, boolean> = {
    totp: factors.totp !== null,
    passkey: factors.passkeys.some((passkey) => passkey.rpId === rpId),
    recovery_code: unspent(factors).length > 0,
  };
  return isSet.totp || isSet.passkey ? FACTOR_KINDS.filter((kind) => isSet[kind]) : [];
}

/** The factors that can confirm a change. A recovery code is only for signing in, which itself confirms changes. */
export const stepUpFactors = (due: readonly FactorKind[]): FactorKind[] =>
  due.filter((kind) => kind !== 'recovery_code');
