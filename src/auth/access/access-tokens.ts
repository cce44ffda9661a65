import { createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Session } from '../sessions/session.js';
import { Config } from '../../shared/config/config.js';
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
