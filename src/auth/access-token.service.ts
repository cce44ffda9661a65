import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Clock } from '../shared/time/clock.js';
import {
  ACCESS_TOKEN_SECONDS,
  type AccessTokenClaims,
  ALGORITHM,
  AUDIENCE,
  ISSUER,
} from './access-token.js';
import { AccessTokenKey } from './access-token.key.js';
import type { Principal } from './principal.js';

/** Issues access tokens. */
@Injectable()
export class AccessTokenService {
  constructor(
    private readonly jwt: JwtService,
    private readonly key: AccessTokenKey,
    private readonly clock: Clock,
  ) {}

  /** A signed access token that begins now. */
  issue({ accountId, session }: Principal): string {
    const iat = Math.floor(this.clock.now().getTime() / 1000);
    const exp = iat + ACCESS_TOKEN_SECONDS;
    const claims: AccessTokenClaims = { sub: accountId, sid: session, typ: 'access', iat, exp };
    return this.jwt.sign(claims, {
      privateKey: this.key.secret,
      algorithm: ALGORITHM,
      issuer: ISSUER,
      audience: AUDIENCE,
    });
  }
}
