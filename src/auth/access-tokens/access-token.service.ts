import { createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type JwtModuleOptions, JwtService } from '@nestjs/jwt';
import type { Config } from '../../shared/config/config.js';
import { Clock } from '../../shared/time/clock.js';
import {
  ACCESS_TOKEN_SECONDS,
  type AccessTokenClaims,
  ALGORITHM,
  AUDIENCE,
  ISSUER,
} from './access-token.js';
import type { Session } from '../sessions/session.js';

/** The key of access tokens. As a string, jsonwebtoken would parse it at each call, at forty times the cost. */
export const accessTokenKey = ({ jwtSecret }: Pick<Config, 'jwtSecret'>): KeyObject =>
  createSecretKey(Buffer.from(jwtSecret));

/** How access tokens are signed. */
export const jwtOptions = (config: Pick<Config, 'jwtSecret'>): JwtModuleOptions => ({
  secret: accessTokenKey(config),
  signOptions: { algorithm: ALGORITHM, issuer: ISSUER, audience: AUDIENCE },
});

@Injectable()
export class AccessTokenService {
  constructor(
    private readonly jwt: JwtService,
    private readonly clock: Clock,
  ) {}

  /** A signed access token, issued now. Its times are rounded down to seconds, so that it never lives too long. */
  issue({ _id: sid, user: sub, accountId: acc }: Session): string {
    const iat = Math.floor(this.clock.now().getTime() / 1000);
    const exp = iat + ACCESS_TOKEN_SECONDS;
    const claims: AccessTokenClaims = { sub, acc, sid, typ: 'access', iat, exp };
    return this.jwt.sign(claims);
  }
}
