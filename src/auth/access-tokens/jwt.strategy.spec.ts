import { Controller, type ExecutionContext, Get, UnauthorizedException } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { JwtService } from '@nestjs/jwt';
import { FORGERIES, signAnew } from '../../../test/builders/forged-tokens.js';
import { aSession } from '../../../test/builders/session.builder.js';
import { aUser } from '../../../test/builders/user.builder.js';
import { FakeClock } from '../../../test/fake-clock.js';
import type { Config } from '../../shared/config/config.js';
import type { SecurityLog } from '../../shared/logging/security-log.js';
import { AuthenticationGuard } from '../access/authentication.guard.js';
import type { ApiKeysService } from '../api-keys/api-keys.service.js';
import { Public } from '../auth.decorators.js';
import type { LoginLimiter } from '../login-limit/login-limiter.js';
import { newRefreshToken } from '../sessions/refresh-token.js';
import { AccessTokenKey, AccessTokenService } from './access-token.service.js';
import { JwtStrategy } from './jwt.strategy.js';

const SECRET = 'a-key-for-signing-the-tokens-of-tests';
const SESSION = aSession(aUser());
const PRINCIPAL = {
  accountId: SESSION.accountId,
  type: 'user',
  id: SESSION.user,
  session: SESSION._id,
};

@Controller()
class Routes {
  @Get()
  closed(this: void): void {
    /* requires a token */
  }

  @Get('open')
  @Public()
  open(this: void): void {
    /* is public */
  }
}

const keyOf = (jwtSecret: string) => new AccessTokenKey({ jwtSecret } as Config);

describe('S5: AuthenticationGuard with JwtStrategy', () => {
  const clock = new FakeClock();
  const jwt = new JwtService();
  const guard = new AuthenticationGuard(
    new Reflector(),
    {} as ApiKeysService,
    {} as LoginLimiter,
    {} as SecurityLog,
  );

  beforeAll(() => new JwtStrategy(keyOf(SECRET), clock));
  beforeEach(() => clock.set('2026-01-31T10:15:00.000Z'));

  const issue = () => new AccessTokenService(jwt, keyOf(SECRET), clock).issue(SESSION);
  const stolen = () => ({ token: issue(), refreshToken: newRefreshToken(), secret: SECRET });

  async function call(authorization?: string, route: keyof Routes = 'closed') {
    const request: { headers: object; user?: unknown } = {
      headers: authorization === undefined ? {} : { authorization },
    };
    const context = {
      getHandler: () => Routes.prototype[route],
      getClass: () => Routes,
      switchToHttp: () => ({ getRequest: () => request, getResponse: () => ({}) }),
    };
    await guard.canActivate(context as unknown as ExecutionContext);
    return request.user;
  }

  it('accepts a token of this service and sets its principal', async () => {
    await expect(call(`Bearer ${issue()}`)).resolves.toEqual(PRINCIPAL);
    await expect(call(`Bearer ${signAnew(stolen())}`)).resolves.toEqual(PRINCIPAL);
  });

  it('accepts a token until it expires by the clock', async () => {
    const token = issue();
    clock.advance({ seconds: 899.999 });
    await expect(call(`Bearer ${token}`)).resolves.toEqual(PRINCIPAL);
    clock.advance({ seconds: 0.001 });
    await expect(call(`Bearer ${token}`)).rejects.toThrow(UnauthorizedException);
  });

  it('accepts a token that was issued between two seconds at once, and for at most 15 minutes', async () => {
    clock.advance({ seconds: 0.4 });
    const token = issue();
    await expect(call(`Bearer ${token}`)).resolves.toEqual(PRINCIPAL);
    clock.advance({ seconds: 900 });
    await expect(call(`Bearer ${token}`)).rejects.toThrow(UnauthorizedException);
  });

  it('lets every request pass to a public route, even with a wrong token', async () => {
    await expect(call(undefined, 'open')).resolves.toBeUndefined();
    await expect(call('Bearer nonsense', 'open')).resolves.toBeUndefined();
  });

  it.each(FORGERIES)('rejects %s', async (_case, forge) => {
    await expect(call(forge(stolen()))).rejects.toThrow(UnauthorizedException);
  });
});
