import { createSecretKey, type KeyObject } from 'node:crypto';
import type { JwtModuleOptions } from '@nestjs/jwt';
import type { Config } from '../../shared/config/config.js';

/** Life of an access token, in seconds. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

export const ALGORITHM = 'HS256';
export const ISSUER = 'license-management-service';
export const AUDIENCE = 'license-management-service-api';

/** The key of access tokens. As a string, jsonwebtoken would parse it at each call, at forty times the cost. */
export const accessTokenKey = ({ jwtSecret }: Pick<Config, 'jwtSecret'>): KeyObject =>
  createSecretKey(Buffer.from(jwtSecret));

/** How access tokens are signed. */
export const jwtOptions = (config: Pick<Config, 'jwtSecret'>): JwtModuleOptions => ({
  secret: accessTokenKey(config),
  signOptions: { algorithm: ALGORITHM, issuer: ISSUER, audience: AUDIENCE },
});

/** The claims of an access token, besides its issuer and audience; times are seconds since 1970, UTC. */
export interface AccessTokenClaims {
  /** The login's id. */
  readonly sub: string;
  /** The account's id. */
  readonly acc: string;
  /** The session's id. */
  readonly sid: string;
  readonly typ: 'access';
  readonly iat: number;
  readonly exp: number;
  /** Not before; this service does not set it. */
  readonly nbf?: number;
}

export function isCurrentAccessToken(claims: Partial<AccessTokenClaims>, now: Date): boolean {
  const { sub, acc, sid, typ, exp, nbf = 0 } = claims;
  const seconds = now.getTime() / 1000;
  return (
    typ === 'access' &&
    typeof sub === 'string' &&
    typeof acc === 'string' &&
    typeof sid === 'string' &&
    typeof exp === 'number' &&
    seconds < exp &&
    seconds >= nbf
  );
}
