import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { addressOf } from '../../http/client-address.js';
import { RateLimits } from '../../limits/rate-limits.js';
import { Config } from '../../shared/config/config.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { toAccountId } from '../../shared/ids.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { Clock } from '../../shared/time/clock.js';
import { SECRET_PREFIX } from '../api-keys/api-key.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { Public } from '../auth.decorators.js';
import type { AuthenticatedRequest, SessionCaller } from '../principal.js';
import { ALGORITHM, type Claims, ISSUER_AND_AUDIENCE, keyOf } from './access-tokens.js';

const API_KEY = new RegExp(`^bearer +(${SECRET_PREFIX}\\S*)$`, 'i');

/** Responds 401 to a request without a valid access token or API key, unless its route is {@link Public}. */
@Injectable()
export class AuthenticationGuard extends AuthGuard('jwt') {
  constructor(
    private readonly reflector: Reflector,
    private readonly apiKeys: ApiKeysService,
    private readonly limits: RateLimits,
    private readonly config: Config,
    private readonly securityLog: SecurityLog,
  ) {
    super();
  }

  override canActivate(context: ExecutionContext): ReturnType<CanActivate['canActivate']> {
    const places = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride(Public, places)) return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    // An import is authenticated before its body is read.
    if (request.user) return true;
    const [, secret] = API_KEY.exec(request.headers.authorization ?? '') ?? [];
    return secret === undefined ? super.canActivate(context) : this.authenticate(request, secret);
  }

  private async authenticate(request: AuthenticatedRequest, secret: string): Promise<true> {
    const principal = await this.apiKeys.authenticate(secret);
    if (!principal) {
      // Counted after the check, so a stale key does not block other keys from the same address. Only
      // counted failures are logged.
      await this.limits.count(this.config.limits.loginByAddress, addressOf(request)).then(
        () => this.securityLog.record('api_key_rejected'),
        () => undefined,
      );
      throw new DomainError('UNAUTHORIZED');
    }
    request.user = principal;
    return true;
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
