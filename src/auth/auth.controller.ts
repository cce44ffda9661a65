import { Body, Controller, Get, HttpCode, Post, UseGuards, UseInterceptors } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { ApiErrors } from '../openapi/decorators/api-errors.decorator.js';
import { ClientAddress } from '../server/client-address.js';
import { InWorkClass } from '../server/overload/work-class.js';
import { RateLimit } from '../server/rate-limit/route-limits.js';
import {
  ApiIdempotencyKey,
  IdempotencyWithoutBody,
} from '../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import { AuthService } from './auth.service.js';
import { CurrentUser, Public } from './auth.decorators.js';
import { ChangePasswordDto, LoginDto, RefreshDto, RegisterDto } from './dto/credentials.dto.js';
import { RegistrationResponse } from './dto/registration.response.js';
import { TokenPairResponse, UserWithTokensResponse } from './dto/tokens.response.js';
import { toUserDto, UserDto } from './dto/user.response.js';
import { LoginLimitInterceptor } from './login-limit/login-limit.interceptor.js';
import { AccountsService } from './accounts/accounts.service.js';
import { OpenRegistrationGuard } from './accounts/open-registration.guard.js';
import { PasswordChangesService } from './passwords/password-changes.service.js';
import type { Principal } from './principal.js';
import { SessionsService } from './sessions/sessions.service.js';

@ApiTags('auth')
@Controller('auth')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsService,
    private readonly passwordChanges: PasswordChangesService,
  ) {}

  @Post('register')
  @InWorkClass('passwords')
  @Public()
  @RateLimit('registration')
  @UseGuards(OpenRegistrationGuard)
  @ApiOperation({
    operationId: 'register',
    summary: 'Create an account and log in',
    description:
      'Where the operator has closed registration, or left it open for the first account alone and that exists, ' +
      'it is rejected whatever the body.',
  })
  @ApiCreatedResponse({
    type: UserWithTokensResponse,
    description: 'The new account, with the tokens of its first session',
  })
  @ApiErrors('REGISTRATION_CLOSED', 'EMAIL_ALREADY_REGISTERED')
  async register(
    @ClientAddress() address: string,
    @Body() body: RegisterDto,
  ): Promise<UserWithTokensResponse> {
    const { user, tokens } = await this.auth.register(body, address);
    return { message: 'User registered successfully', user: toUserDto(user), ...tokens };
  }

  @Get('registration')
  @Public()
  @RateLimit('refresh')
  @ApiOperation({
    operationId: 'getRegistration',
    summary: 'Read whether registration is open',
    description: 'The operator may close it, or leave it open for the first account alone.',
  })
  @ApiOkResponse({ type: RegistrationResponse, description: 'Whether it is open' })
  async getRegistration(): Promise<RegistrationResponse> {
    return { open: await this.auth.isRegistrationOpen() };
  }

  @Post('login')
  @InWorkClass('passwords')
  @Public()
  @HttpCode(200)
  @UseInterceptors(LoginLimitInterceptor)
  @ApiOperation({
    operationId: 'login',
    summary: 'Log in',
    description:
      'Starts a session. Failed logins are limited by address and by account; failures from other addresses do ' +
      'not block an address from which the account was logged in to before. An account has at most 100 sessions: ' +
      'a further login ends the one that would expire first.',
  })
  @ApiOkResponse({
    type: UserWithTokensResponse,
    description: 'The account, with the tokens of a new session',
  })
  @ApiErrors('INVALID_CREDENTIALS', 'ACCOUNT_DISABLED', 'TOO_MANY_REQUESTS')
  async login(
    @ClientAddress() address: string,
    @Body() { email, password }: LoginDto,
  ): Promise<UserWithTokensResponse> {
    const { user, tokens } = await this.auth.login(email, password, address);
    return { message: 'Logged in successfully', user: toUserDto(user), ...tokens };
  }

  @Post('refresh')
  @Public()
  @RateLimit('refresh')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'refresh',
    summary: 'Spend a refresh token for new tokens',
    description:
      'A refresh token works once, within 30 days. One that was spent before ends its whole session. A session ' +
      'ends 90 days after its login, however often it is refreshed: then log in again.',
  })
  @ApiOkResponse({ type: TokenPairResponse, description: 'The new tokens' })
  @ApiErrors('INVALID_REFRESH_TOKEN')
  async refresh(@Body() { refreshToken }: RefreshDto): Promise<TokenPairResponse> {
    const tokens = await this.sessions.refresh(refreshToken);
    return { message: 'Tokens refreshed successfully', ...tokens };
  }

  @Post('logout')
  @Public()
  @RateLimit('refresh')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'logout',
    summary: 'End a session',
    description: 'Its access token works until it expires: 15 minutes at most.',
  })
  @ApiNoContentResponse({ description: 'The session has ended, or there was none' })
  logout(@Body() { refreshToken }: RefreshDto): Promise<void> {
    return this.sessions.end(refreshToken);
  }

  @Post('password')
  @InWorkClass('passwords')
  @HttpCode(204)
  @UseInterceptors(LoginLimitInterceptor)
  @ApiIdempotencyKey()
  @ApiOperation({
    operationId: 'changePassword',
    summary: 'Change your password',
    description:
      'Ends every other session of the account; their access tokens work until they expire, 15 minutes at ' +
      'most. Wrong current passwords are limited by address, together with failed logins, and by account.',
  })
  @ApiNoContentResponse({ description: 'The new password is set' })
  @ApiErrors('WRONG_PASSWORD', 'TOO_MANY_REQUESTS')
  changePassword(
    @CurrentUser() principal: Principal,
    @ClientAddress() address: string,
    @Body() passwords: ChangePasswordDto,
    @IdempotencyWithoutBody() idempotency: IdempotencyRecord | undefined,
  ): Promise<void> {
    return this.passwordChanges.change(principal, passwords, address, idempotency);
  }

  @Get('me')
  @ApiOperation({
    operationId: 'getMe',
    summary: 'Read your account',
    description: 'The account that the access token was issued to.',
  })
  @ApiOkResponse({ type: UserDto, description: 'The account' })
  async getMe(@CurrentUser() { accountId }: Principal): Promise<UserDto> {
    return toUserDto(await this.accounts.get(accountId));
  }
}
