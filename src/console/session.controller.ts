import { Body, Controller, Delete, Post, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { From, Public } from '../auth/auth.decorators.js';
import { AuthService } from '../auth/auth.service.js';
import { LoginDto } from '../auth/dto/credentials.dto.js';
import { AccessTokenResponse, toUserDto } from '../auth/dto/tokens.response.js';
import { LoginLimitInterceptor } from '../limits/login-limit.interceptor.js';
import type { Device } from '../auth/sessions/session.js';
import { SessionsService } from '../auth/sessions/sessions.service.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { InWorkClass, SameOriginOnly } from '../http/route-config.js';
import { RateLimit } from '../limits/rate-limit.guard.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { ConsoleSessionResponse } from './dto/session.response.js';
import { Cookie, type SessionCookie } from './session-cookie.js';

/** The routes of /auth for a browser: the refresh token is in a cookie, and every other origin is rejected. */
@ApiTags('console')
@Public()
@Controller('console/session')
export class SessionController {
  constructor(
    private readonly auth: AuthService,
    private readonly sessions: SessionsService,
  ) {}

  @Post()
  @InWorkClass('passwords')
  @SameOriginOnly()
  @UseInterceptors(LoginLimitInterceptor)
  @Describe(
    'Log in to the console',
    'As POST /auth/login, with the same limits, but the refresh token is in a cookie that no script can read. The ' +
      "`Origin` of the request must be the service's own.",
  )
  @Responds(200, 'The account, with an access token of a new session', ConsoleSessionResponse)
  @ApiErrors('CROSS_ORIGIN_REQUEST', 'INVALID_CREDENTIALS', 'ACCOUNT_DISABLED', 'TOO_MANY_REQUESTS')
  async createConsoleSession(
    @From() device: Device,
    @Cookie() cookie: SessionCookie,
    @Body() { email, password }: LoginDto,
  ): Promise<ConsoleSessionResponse> {
    const { user, tokens } = await this.auth.login(email, password, device);
    return { message: 'Logged in', user: toUserDto(user), ...cookie.store(tokens) };
  }

  @Post('refresh')
  @SameOriginOnly()
  @RateLimit('refresh')
  @Describe(
    'Get a new access token for the console',
    'Spends the refresh token of the cookie, as POST /auth/refresh does, and replaces it. Without a valid one the ' +
      'cookie is deleted.',
  )
  @Responds(200, 'The new access token', AccessTokenResponse)
  @ApiErrors('CROSS_ORIGIN_REQUEST', 'INVALID_REFRESH_TOKEN')
  async refreshConsoleSession(
    @From() device: Device,
    @Cookie() cookie: SessionCookie,
  ): Promise<AccessTokenResponse> {
    try {
      const tokens = await this.sessions.refresh(cookie.read(), device);
      return { message: 'Tokens refreshed', ...cookie.store(tokens) };
    } catch (error) {
      if (error instanceof DomainError && error.code === 'INVALID_REFRESH_TOKEN') cookie.clear();
      throw error;
    }
  }

  @Delete()
  @SameOriginOnly()
  @RateLimit('refresh')
  @Describe(
    'Log out of the console',
    'Ends the session of the cookie, and deletes the cookie. The access token is rejected from then on.',
  )
  @Responds(204, 'The session has ended, or there was none')
  @ApiErrors('CROSS_ORIGIN_REQUEST')
  async deleteConsoleSession(@Cookie() cookie: SessionCookie): Promise<void> {
    await this.sessions.end(cookie.read());
    cookie.clear();
  }
}
