/** A login and the family of refresh tokens that descend from it, of which one at a time is unspent. */
export interface Session {
  readonly _id: string;
  readonly user: string;
  /** When its latest refresh token expires. */
  readonly expiresAt: Date;
}

/** What a login proves, and what it is given: as both are stored. */
export interface LoginHashes {
  /** Of the password that was found right. */
  readonly passwordHash: string;
  /** Of the session's first refresh token. */
  readonly tokenHash: string;
}

/** A refresh token as it is stored. */
export interface StoredRefreshToken {
  /** SHA-256 of the token, base64url. */
  readonly tokenHash: string;
  readonly expiresAt: Date;
}
