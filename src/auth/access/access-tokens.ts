import { createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import type { SessionCaller } from '../principal.js';
import type { Session } from '../sessions/session.js';
import { Config } from '../../shared/config/config.js';
import { toAccountId } from '../../shared/ids.js';
import { Clock } from '../../shared/time/clock.js';

/** Lifetime of an access token, in seconds. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

export const ALGORITHM = 'HS256';
export const ISSUER_AND_AUDIENCE = {
  issuer: 'license-management-service',
  audience: 'license-management-service-api',
};

/** The claims of an access token other than issuer and audience. Times are seconds since 1970, UTC. */
export interface Claims {
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

/**
 * The signing key of access tokens. Given a string, jsonwebtoken would parse it on each call, which takes
 * forty times as long.
 */
export const keyOf = ({ jwtSecret }: Pick<Config, 'jwtSecret'>): KeyObject =>
  createSecretKey(Buffer.from(jwtSecret));

/** Issues access tokens. */
@Injectable()
export class AccessTokens {
  private readonly jwt: JwtService;

  constructor(
    config: Config,
    private readonly clock: Clock,
  ) {
    const signOptions = { algorithm: ALGORITHM, ...ISSUER_AND_AUDIENCE } as const;
    this.jwt = new JwtService({ secret: keyOf(config), signOptions });
  }

  /** A signed access token, issued now. Times are rounded down to seconds, so a token never lives too long. */
  issue({ _id: sid, user: sub, accountId: acc }: Session): string {
    const iat = Math.floor(this.clock.now().getTime() / 1000);
    const claims: Claims = { sub, acc, sid, typ: 'access', iat, exp: iat + ACCESS_TOKEN_SECONDS };
    return this.jwt.sign(claims);
  }
}

/** Accepts only this service's access tokens, as `Authorization: Bearer`. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(
    config: Config,
    private readonly clock: Clock,
  ) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      // jsonwebtoken receives this and accepts a KeyObject, but the types of passport-jwt are outdated.
      secretOrKey: keyOf(config) as unknown as Buffer,
      algorithms: [ALGORITHM],
      ...ISSUER_AND_AUDIENCE,
      // The library compares with Date.now(), so validate() checks both times against the Clock instead.
      ignoreExpiration: true,
      jsonWebTokenOptions: { ignoreNotBefore: true },
    });
  }

  /** The caller of a token with a verified signature, issuer and audience; null rejects the token. */
  validate({
    sub: id,
    acc,
    sid: session,
    typ,
    exp,
    nbf = 0,
  }: Partial<Claims>): SessionCaller | null {
    const seconds = this.clock.now().getTime() / 1000;
    const areTexts =
      typeof id === 'string' && typeof acc === 'string' && typeof session === 'string';
    const isCurrent = typeof exp === 'number' && seconds < exp && seconds >= nbf;
    if (typ !== 'access' || !areTexts || !isCurrent) return null;
    return { accountId: toAccountId(acc), type: 'user', id, session };
  }
}
