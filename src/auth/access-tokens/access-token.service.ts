import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Clock } from '../../shared/time/clock.js';
import { ACCESS_TOKEN_SECONDS, type AccessTokenClaims } from './access-token.js';
import type { Session } from '../sessions/session.js';

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
