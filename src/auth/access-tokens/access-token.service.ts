import { createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Config } from '../../shared/config/config.js';
import { Clock } from '../../shared/time/clock.js';
import {
  ACCESS_TOKEN_SECONDS,
  type AccessTokenClaims,
  ALGORITHM,
  AUDIENCE,
  ISSUER,
} from './access-token.js';
import type { Principal } from '../principal.js';

/**
 * The key that signs and verifies access tokens. It is created once: given a string, jsonwebtoken first
 * tries to parse it as a public key on every call, at forty times the cost.
 */
@Injectable()
export class AccessTokenKey {
  readonly secret: KeyObject;

  constructor(config: Config) {
    this.secret = createSecretKey(Buffer.from(config.jwtSecret));
  }
}

/** Issues access tokens. */
@Injectable()
export class AccessTokenService {
  constructor(
    private readonly jwt: JwtService,
    private readonly key: AccessTokenKey,
    private readonly clock: Clock,
  ) {}

  /** A signed access token, issued now. Whole seconds are rounded down, so that its life is never exceeded. */
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
