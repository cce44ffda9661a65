import { Body, Controller, Delete, Post, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { From, Public } from '../auth/auth.decorators.js';
import { AuthService } from '../auth/auth.service.js';
import { LoginDto, RefreshConsoleSessionDto } from '../auth/dto/credentials.dto.js';
import { AccessTokenResponse, toUserDto } from '../auth/dto/tokens.response.js';
import { LoginFactorDto, LoginPasskeyDto } from '../auth/factors/dto/factor.dto.js';
import { PasskeyOptionsResponse } from '../auth/factors/dto/factor.response.js';
import { SIGN_IN_ERRORS } from '../auth/factors/sign-in.controller.js';
import { SignIn, type SignedIn } from '../auth/factors/sign-in.service.js';
import { LoginLimitInterceptor } from '../limits/login-limit.interceptor.js';
import { type Device, REFRESH_TOKEN_LIFE } from '../auth/sessions/session.js';
import { SessionsService, type TokenPair } from '../auth/sessions/sessions.service.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { InWorkClass, SameOriginOnly } from '../http/route-config.js';
import { type TokenCookie, tokenCookie } from '../http/token-cookie.js';
import { RateLimit } from '../limits/rate-limit.guard.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { ConsoleSessionResponse } from './dto/session.response.js';

/**
 * The cookie with the refresh token of a session. The routes of the session alone receive it. The prefix `__Host-` would require the
 * path `/`.
 */
const Cookie = tokenCookie(({ basePath }, isSecure) => ({
  name: isSecure ? '__Secure-console-session' : 'console-session',
  path: `${basePath}/console/session`,
  life: REFRESH_TOKEN_LIFE,
}));

/**
 * The routes of /auth for a browser: the refresh token is in a cookie, and requests from other origins are
 * rejected.
 */
@ApiTags('console')
@Public()
@Controller('console/session')
export class SessionController {
  constructor(
    private readonly auth: AuthService,
    private readonly signIn: SignIn,
    private readonly sessions: SessionsService,
  ) {}

  @Post()
  @InWorkClass('passwords')
  @SameOriginOnly()
  @UseInterceptors(LoginLimitInterceptor)
  @Describe(
    'Log in to the console',
    'Like POST /auth/login, with the same limits, but the refresh token is set as a cookie that scripts cannot read. The ' +
      "`Origin` header must be the service's own origin.",
  )
  @Responds(200, 'The account and an access token of a new session', ConsoleSessionResponse)
  @ApiErrors(
    'CROSS_ORIGIN_REQUEST',
    'INVALID_CREDENTIALS',
    'FACTOR_REQUIRED',
    'ACCOUNT_DISABLED',
    'TOO_MANY_REQUESTS',
  )
  async createConsoleSession(
    @From() device: Device,
    @Cookie() cookie: TokenCookie,
    @Body() { email, password }: LoginDto,
  ): Promise<ConsoleSessionResponse> {
    return toResponse(await this.auth.login(email, password, device), cookie);
  }

  @Post('factor')
  @SameOriginOnly()
  @UseInterceptors(LoginLimitInterceptor)
  @Describe('Log in to the console with a second factor', 'Like POST /auth/login/factor.')
  @Responds(200, 'The account and an access token of a new session', ConsoleSessionResponse)
  @ApiErrors('CROSS_ORIGIN_REQUEST', 'INVALID_CHALLENGE', ...SIGN_IN_ERRORS)
  async createConsoleSessionWithFactor(
    @From() device: Device,
    @Cookie() cookie: TokenCookie,
    @Body() factor: LoginFactorDto,
  ): Promise<ConsoleSessionResponse> {
    return toResponse(await this.signIn.withFactor(factor, device), cookie);
  }

  @Post('passkey/options')
  @SameOriginOnly()
  @RateLimit('refresh')
  @Describe(
    'Get the options for logging in to the console with a passkey alone',
    'Like POST /auth/login/passkey/options.',
  )
  @Responds(200, 'The options', PasskeyOptionsResponse)
  @ApiErrors('CROSS_ORIGIN_REQUEST', 'PASSKEYS_OFF')
  async createConsoleSessionOptions(): Promise<PasskeyOptionsResponse> {
    return { passkeyOptions: await this.signIn.passkeyOptions() };
  }

  @Post('passkey')
  @SameOriginOnly()
  @UseInterceptors(LoginLimitInterceptor)
  @Describe('Log in to the console with a passkey alone', 'Like POST /auth/login/passkey.')
  @Responds(200, 'The account and an access token of a new session', ConsoleSessionResponse)
  @ApiErrors('CROSS_ORIGIN_REQUEST', ...SIGN_IN_ERRORS)
  async createConsoleSessionWithPasskey(
    @From() device: Device,
    @Cookie() cookie: TokenCookie,
    @Body() { response }: LoginPasskeyDto,
  ): Promise<ConsoleSessionResponse> {
    return toResponse(await this.signIn.withPasskey(response, device), cookie);
  }

  @Post('refresh')
  @SameOriginOnly()
  @RateLimit('refresh')
  @Describe(
    'Get a new access token for the console',
    'Like POST /auth/refresh, but the refresh token is in the cookie, and the new one replaces it there. Send ' +
      '`refreshToken` to move a session into the cookie, such as the one that POST /auth/register started. Deletes the ' +
      'cookie if the token is not valid.',
  )
  @Responds(200, 'The new access token', AccessTokenResponse)
  @ApiErrors('CROSS_ORIGIN_REQUEST', 'INVALID_REFRESH_TOKEN')
  async refreshConsoleSession(
    @From() device: Device,
    @Cookie() cookie: TokenCookie,
    @Body() { refreshToken }: RefreshConsoleSessionDto,
  ): Promise<AccessTokenResponse> {
    try {
      const tokens = await this.sessions.refresh(refreshToken ?? cookie.read(), device);
      return { message: 'Tokens refreshed', ...stored(tokens, cookie) };
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
    'Ends the session and deletes the cookie. The access token stops working immediately.',
  )
  @Responds(204, 'The session has ended')
  @ApiErrors('CROSS_ORIGIN_REQUEST')
  async deleteConsoleSession(@Cookie() cookie: TokenCookie): Promise<void> {
    await this.sessions.end(cookie.read());
    cookie.clear();
  }
}

const toResponse = ({ user, tokens }: SignedIn, cookie: TokenCookie): ConsoleSessionResponse => ({
  message: 'Logged in',
  user: toUserDto(user),
  ...stored(tokens, cookie),
});

/** Stores the refresh token of a pair in the cookie and returns the rest for the response body. */
function stored({ refreshToken, ...rest }: TokenPair, cookie: TokenCookie) {
  cookie.store(refreshToken);
  return rest;
}
