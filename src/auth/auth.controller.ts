import { Body, Controller, Get, Post, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { ClientAddress } from '../http/client-address.js';
import { InWorkClass } from '../http/route-config.js';
import { RateLimit } from '../limits/rate-limit.guard.js';
import { IdempotencyOf } from '../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import { AuthService, OpenRegistrationGuard } from './auth.service.js';
import { CurrentUser, From, Public } from './auth.decorators.js';
import {
  AcceptInvitationDto,
  ChangePasswordDto,
  LoginDto,
  RefreshDto,
  RegisterDto,
} from './dto/credentials.dto.js';
import {
  RegistrationResponse,
  TokenPairResponse,
  CurrentUserDto,
  toUserDto,
  UserWithTokensResponse,
} from './dto/tokens.response.js';
import { LoginLimitInterceptor } from '../limits/login-limit.interceptor.js';
import { AccountsService } from './accounts/accounts.service.js';
import { VerifiesPassword } from './passwords/password.decorators.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { MembersService } from './members/members.service.js';
import type { UserPrincipal } from './principal.js';
import type { Device } from './sessions/session.js';
import { SessionsService } from './sessions/sessions.service.js';

@ApiTags('auth')
@Controller('auth')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsService,
    private readonly passwords: PasswordsService,
    private readonly members: MembersService,
  ) {}

  @Post('register')
  @InWorkClass('passwords')
  @Public()
  @RateLimit('registration')
  @UseGuards(OpenRegistrationGuard)
  @Describe(
    'Create an account and log in',
    'Where the operator has closed registration, or left it open for the first account alone and that exists, ' +
      'it is rejected whatever the body.',
  )
  @Responds(201, 'The new account, with the tokens of its first session', UserWithTokensResponse)
  @ApiErrors(
    'REGISTRATION_CLOSED',
    'EMAIL_ALREADY_REGISTERED',
    // The operator may reset the password or disable the account before the session starts.
    'INVALID_CREDENTIALS',
    'ACCOUNT_DISABLED',
  )
  async register(
    @From() device: Device,
    @Body() body: RegisterDto,
  ): Promise<UserWithTokensResponse> {
    const { user, tokens } = await this.auth.register(body, device);
    return { message: 'User registered successfully', user: toUserDto(user), ...tokens };
  }

  @Get('registration')
  @Public()
  @RateLimit('refresh')
  @Describe(
    'Read whether registration is open',
    'The operator may close it, or leave it open for the first account alone.',
  )
  @Responds(200, 'Whether it is open', RegistrationResponse)
  async getRegistration(): Promise<RegistrationResponse> {
    return { open: await this.auth.isRegistrationOpen() };
  }

  @Post('login')
  @InWorkClass('passwords')
  @Public()
  @UseInterceptors(LoginLimitInterceptor)
  @Describe(
    'Log in',
    'Starts a session. Failed logins are limited by address and by account; failures from other addresses do ' +
      'not block an address from which the account was logged in to before. An account has at most 100 sessions: ' +
      'a further login ends the one that would expire first.',
  )
  @Responds(200, 'The account, with the tokens of a new session', UserWithTokensResponse)
  @ApiErrors('INVALID_CREDENTIALS', 'ACCOUNT_DISABLED', 'TOO_MANY_REQUESTS')
  async login(
    @From() device: Device,
    @Body() { email, password }: LoginDto,
  ): Promise<UserWithTokensResponse> {
    const { user, tokens } = await this.auth.login(email, password, device);
    return { message: 'Logged in successfully', user: toUserDto(user), ...tokens };
  }

  @Post('refresh')
  @Public()
  @RateLimit('refresh')
  @Describe(
    'Spend a refresh token for new tokens',
    'A refresh token works once, within 30 days. One that was spent before ends its whole session. A session ' +
      'ends 90 days after its login, however often it is refreshed: then log in again.',
  )
  @Responds(200, 'The new tokens', TokenPairResponse)
  @ApiErrors('INVALID_REFRESH_TOKEN')
  async refresh(
    @From() device: Device,
    @Body() { refreshToken }: RefreshDto,
  ): Promise<TokenPairResponse> {
    const tokens = await this.sessions.refresh(refreshToken, device);
    return { message: 'Tokens refreshed successfully', ...tokens };
  }

  @Post('logout')
  @Public()
  @RateLimit('refresh')
  @Describe('End a session', 'Its access token is rejected from then on.')
  @Responds(204, 'The session has ended, or there was none')
  logout(@Body() { refreshToken }: RefreshDto): Promise<void> {
    return this.sessions.end(refreshToken);
  }

  @Post('password')
  @VerifiesPassword()
  @Describe(
    'Change your password',
    'Ends every other session of yours. Wrong current passwords are limited by address, together with failed ' +
      'logins, and by account.',
  )
  @Responds(204, 'The new password is set')
  changePassword(
    @CurrentUser() principal: UserPrincipal,
    @ClientAddress() address: string,
    @Body() passwords: ChangePasswordDto,
    @IdempotencyOf() idempotency: IdempotencyRecord | undefined,
  ): Promise<void> {
    return this.passwords.change(principal, passwords, address, idempotency);
  }

  @Post('invitations/accept')
  @InWorkClass('passwords')
  @Public()
  @RateLimit('registration')
  @Describe(
    'Accept an invitation and log in',
    'Creates a login that belongs to the account of the invitation, also where registration is closed.',
  )
  @Responds(201, 'The new member, with the tokens of the first session', UserWithTokensResponse)
  @ApiErrors(
    'INVALID_INVITATION',
    'EMAIL_ALREADY_REGISTERED',
    // The operator may reset the password or disable the login before the session starts.
    'INVALID_CREDENTIALS',
    'ACCOUNT_DISABLED',
  )
  async acceptInvitation(
    @From() device: Device,
    @Body() { invitation, ...joining }: AcceptInvitationDto,
  ): Promise<UserWithTokensResponse> {
    const user = await this.members.accept(invitation, joining);
    const tokens = await this.sessions.start(user, device);
    return { message: 'Invitation accepted successfully', user: toUserDto(user), ...tokens };
  }

  @Get('me')
  @Describe(
    'Read who you are',
    'The member that the access token was issued to, with role and account.',
  )
  @Responds(200, 'The member', CurrentUserDto)
  async getMe(@CurrentUser() { id, accountId }: UserPrincipal): Promise<CurrentUserDto> {
    const [user, owner] = await Promise.all([this.accounts.get(id), this.accounts.get(accountId)]);
    return { ...toUserDto(user), accountName: owner.name };
  }
}
