import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { toAccountId } from '../../shared/ids/account-id.js';
import { Clock } from '../../shared/time/clock.js';
import {
  type AccessTokenClaims,
  ALGORITHM,
  AUDIENCE,
  isCurrentAccessToken,
  ISSUER,
} from './access-token.js';
import { AccessTokenKey } from './access-token.service.js';
import type { Principal } from '../principal.js';

/** Accepts the access tokens of this service, and nothing else, as `Authorization: Bearer`. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(
    key: AccessTokenKey,
    private readonly clock: Clock,
  ) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      // Handed on as it is to jsonwebtoken, which takes a KeyObject; the types here are older.
      secretOrKey: key.secret as unknown as Buffer,
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      // The library knows only Date.now(): validate() judges both times by the Clock instead.
      ignoreExpiration: true,
      jsonWebTokenOptions: { ignoreNotBefore: true },
    });
  }

  /** The principal of a token whose signature, issuer and audience are right; null rejects it. */
  validate(claims: Partial<AccessTokenClaims>): Principal | null {
    if (!isCurrentAccessToken(claims, this.clock.now())) return null;
    const { sub, sid } = claims as AccessTokenClaims;
    return { accountId: toAccountId(sub), session: sid };
  }
}
