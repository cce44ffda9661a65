import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { Config } from '../../shared/config/config.js';
import { toAccountId } from '../../shared/ids.js';
import { Clock } from '../../shared/time/clock.js';
import type { SessionCaller } from '../principal.js';
import { ALGORITHM, type Claims, keyOf, PARTIES } from './access-tokens.js';

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
      secretOrKey: keyOf(config) as unknown as Buffer,
      algorithms: [ALGORITHM],
      ...PARTIES,
      // The library compares with Date.now(): validate() checks both times against the Clock instead.
      ignoreExpiration: true,
      jsonWebTokenOptions: { ignoreNotBefore: true },
    });
  }

  /** The caller of a token whose signature, issuer and audience were verified; null rejects the token. */
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
