import { Body, Controller, Get, Post, Req, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { originOf } from '../http/same-origin.js';
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
import { OutgoingMail } from '../mail/outgoing-mail.service.js';
import { AccountsService } from './accounts/accounts.service.js';
import { VerifiesPassword } from './passwords/password.decorators.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { RelyingParty } from './factors/relying-party.js';
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
    private readonly relyingParty: RelyingParty,
    private readonly outgoing: OutgoingMail,
  ) {}

  @Post('register')
  @InWorkClass('passwords')
  @Public()
  @RateLimit('registration')
  @UseGuards(OpenRegistrationGuard)
  @Describe(
    'Create an account and log in',
    'Returns 403 if registration is closed, or is open only for the first account and that account exists. This is checked ' +
      'before the body.',
  )
  @Responds(201, 'The new account and the tokens of its first session', UserWithTokensResponse)
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
    return { message: 'Account created', user: toUserDto(user), ...tokens };
  }

  @Get('registration')
  @Public()
  @RateLimit('refresh')
  @Describe(
    'Check what the sign-in page offers',
    'The operator can close registration or allow only the first account, and sets up mail. Passkeys work only at PUBLIC_URL.',
  )
  @Responds(200, 'The available ways to sign in', RegistrationResponse)
  async getRegistration(@Req() request: FastifyRequest): Promise<RegistrationResponse> {
    const { site } = this.relyingParty;
    const passkeys = site !== undefined && site.origin === originOf(request);
    const open = await this.auth.isRegistrationOpen();
    const firstAccount = open && !(await this.accounts.anyExist());
    return { open, firstAccount, passkeys, passwordReset: this.outgoing.isOn };
  }

  @Post('login')
  @InWorkClass('passwords')
  @Public()
  @UseInterceptors(LoginLimitInterceptor)
  @Describe(
    'Log in',
    'Starts a session. Failed logins are limited per IP address and per account. Failures from other addresses never ' +
      'lock out an address that has logged in to the account before. An account can have at most 100 sessions: ' +
      'the next login ends the one that expires first. If the login has a second factor, responds 403 `FACTOR_REQUIRED`: ' +
      'continue at POST /auth/login/factor.',
  )
  @Responds(200, 'The account and the tokens of a new session', UserWithTokensResponse)
  @ApiErrors('INVALID_CREDENTIALS', 'FACTOR_REQUIRED', 'ACCOUNT_DISABLED', 'TOO_MANY_REQUESTS')
  async login(
    @From() device: Device,
    @Body() { email, password }: LoginDto,
  ): Promise<UserWithTokensResponse> {
    const { user, tokens } = await this.auth.login(email, password, device);
    return { message: 'Logged in', user: toUserDto(user), ...tokens };
  }

  @Post('refresh')
  @Public()
  @RateLimit('refresh')
  @Describe(
    'Exchange a refresh token for new tokens',
    'A refresh token works once and expires after 30 days. Using it a second time ends the whole session. Every ' +
      'session ends 90 days after login, no matter how often it is refreshed.',
  )
  @Responds(200, 'The new tokens', TokenPairResponse)
  @ApiErrors('INVALID_REFRESH_TOKEN')
  async refresh(
    @From() device: Device,
    @Body() { refreshToken }: RefreshDto,
  ): Promise<TokenPairResponse> {
    const tokens = await this.sessions.refresh(refreshToken, device);
    return { message: 'Tokens refreshed', ...tokens };
  }

  @Post('logout')
  @Public()
  @RateLimit('refresh')
  @Describe('Log out', 'Ends the session. Its access token stops working immediately.')
  @Responds(204, 'The session has ended')
  logout(@Body() { refreshToken }: RefreshDto): Promise<void> {
    return this.sessions.end(refreshToken);
  }

  @Post('password')
  @VerifiesPassword()
  @Describe(
    'Change your password',
    'Ends all your other sessions. Wrong current passwords are limited per account, and per IP address together with ' +
      'failed logins.',
  )
  @Responds(204, 'Password changed')
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
    'Creates a login in the account you were invited to, even if registration is closed.',
  )
  @Responds(201, 'The new member and the tokens of the first session', UserWithTokensResponse)
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
    const tokens = await this.sessions.start(user, device, { isFirst: true });
    return { message: 'Invitation accepted', user: toUserDto(user), ...tokens };
  }

  @Get('me')
  @Describe(
    'Get the current member',
    'The member that the access token belongs to, with role and account.',
  )
  @Responds(200, 'The member', CurrentUserDto)
  async getMe(@CurrentUser() { id, accountId }: UserPrincipal): Promise<CurrentUserDto> {
    const [user, owner] = await Promise.all([this.accounts.get(id), this.accounts.get(accountId)]);
    return { ...toUserDto(user), accountName: owner.name };
  }
}
