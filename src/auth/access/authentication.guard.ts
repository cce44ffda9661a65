import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { addressOf } from '../../http/client-address.js';
import { memoizeByHandler } from '../../http/memoize-by-handler.js';
import { RateLimits } from '../../limits/rate-limits.js';
import { Config } from '../../shared/config/config.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { SECRET_PREFIX } from '../api-keys/api-key.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { Public } from '../auth.decorators.js';
import type { AuthenticatedRequest } from '../principal.js';
import { AccessTokens } from './access-tokens.js';

const BEARER = /^bearer +(\S+)$/i;

/** Rejects a request with neither a valid access token nor an API key with a 401, unless its route is {@link Public}. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  private readonly isPublic = memoizeByHandler((context) =>
    this.reflector.getAllAndOverride(Public, [context.getHandler(), context.getClass()]),
  );

  constructor(
    private readonly reflector: Reflector,
    private readonly accessTokens: AccessTokens,
    private readonly apiKeys: ApiKeysService,
    private readonly limits: RateLimits,
    private readonly config: Config,
    private readonly securityLog: SecurityLog,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    return this.isPublic(context) || this.authenticate(context.switchToHttp().getRequest());
  }

  /** @throws DomainError UNAUTHORIZED */
  private async authenticate(request: AuthenticatedRequest): Promise<true> {
    const [, credential = ''] = BEARER.exec(request.headers.authorization ?? '') ?? [];
    const isApiKey = credential.startsWith(SECRET_PREFIX);
    const caller = isApiKey
      ? await this.apiKeys.authenticate(credential)
      : this.accessTokens.verify(credential);
    if (!caller) {
      if (isApiKey) await this.countRejection(request);
      throw new DomainError('UNAUTHORIZED');
    }
    request.user = caller;
    return true;
  }

  /** Counted afterwards: a stale key does not block the others of its address. Only those that count are logged. */
  private countRejection(request: FastifyRequest): Promise<void> {
    return this.limits.count(this.config.limits.loginByAddress, addressOf(request)).then(
      () => this.securityLog.record('api_key_rejected'),
      () => undefined,
    );
  }
}
