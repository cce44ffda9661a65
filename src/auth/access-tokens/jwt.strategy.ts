import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { Config } from '../../shared/config/config.js';
import { toAccountId } from '../../shared/ids/account-id.js';
import { Clock } from '../../shared/time/clock.js';
import {
  accessTokenKey,
  type AccessTokenClaims,
  ALGORITHM,
  AUDIENCE,
  isCurrentAccessToken,
  ISSUER,
} from './access-token.js';
import type { Credentials } from '../access/principals.service.js';

/** Accepts the access tokens of this service, and nothing else, as `Authorization: Bearer`. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(
    config: Config,
    private readonly clock: Clock,
  ) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      // Passed on to jsonwebtoken, which accepts a KeyObject; the types of passport-jwt are outdated.
      secretOrKey: accessTokenKey(config) as unknown as Buffer,
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      // The library compares with Date.now(): validate() checks both times against the Clock instead.
      ignoreExpiration: true,
      jsonWebTokenOptions: { ignoreNotBefore: true },
    });
  }

  /** The caller of a token whose signature, issuer and audience were verified; null rejects the token. */
  validate(claims: Partial<AccessTokenClaims>): Credentials | null {
    if (!isCurrentAccessToken(claims, this.clock.now())) return null;
    const { sub, acc, sid } = claims as AccessTokenClaims;
    return { accountId: toAccountId(acc), type: 'user', id: sub, session: sid };
  }
}
