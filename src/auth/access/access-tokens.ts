import { createSecretKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Config } from '../../shared/config/config.js';
import { toAccountId } from '../../shared/ids/account-id.js';
import { Clock } from '../../shared/time/clock.js';
import type { SessionCaller } from '../principal.js';
import type { Session } from '../sessions/session.js';

/** Life of an access token, in seconds. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

const ALGORITHM = 'HS256';
const PARTIES = {
  issuer: 'license-management-service',
  audience: 'license-management-service-api',
};

/** The claims of an access token besides its issuer and audience. Times are seconds since 1970, UTC. */
interface Claims {
  /** The login's id. */
  readonly sub: string;
  /** The account's id. */
  readonly acc: string;
  /** The session's id. */
  readonly sid: string;
  readonly typ: 'access';
  readonly iat: number;
  readonly exp: number;
}

@Injectable()
export class AccessTokens {
  private readonly jwt: JwtService;

  constructor(
    config: Config,
    private readonly clock: Clock,
  ) {
    this.jwt = new JwtService({
      // As a string, jsonwebtoken would parse it at each call, at forty times the cost.
      secret: createSecretKey(Buffer.from(config.jwtSecret)),
      signOptions: { algorithm: ALGORITHM, ...PARTIES },
      verifyOptions: { algorithms: [ALGORITHM], ...PARTIES },
    });
  }

  issue({ _id: sid, user: sub, accountId: acc }: Session): string {
    const iat = this.seconds();
    const claims: Claims = { sub, acc, sid, typ: 'access', iat, exp: iat + ACCESS_TOKEN_SECONDS };
    return this.jwt.sign(claims);
  }

  /** The caller with a token, whose session may have ended; undefined if the token is invalid or has expired. */
  verify(token: string): SessionCaller | undefined {
    try {
      const clockTimestamp = this.seconds();
      const claims = this.jwt.verify<Partial<Claims>>(token, { clockTimestamp });
      const { sub: id, acc, sid: session, typ, exp } = claims;
      const areTexts =
        typeof id === 'string' && typeof acc === 'string' && typeof session === 'string';
      if (typ !== 'access' || exp === undefined || !areTexts) return undefined;
      return { accountId: toAccountId(acc), type: 'user', id, session };
    } catch {
      return undefined;
    }
  }

  /** Rounded down, so that no token lives too long. */
  private seconds(): number {
    return Math.floor(this.clock.now().getTime() / 1000);
  }
}
