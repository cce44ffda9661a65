import { Body, Controller, Post, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ClientAddress } from '../../http/client-address.js';
import { LoginLimitInterceptor } from '../../limits/login-limit.interceptor.js';
import { RateLimit } from '../../limits/rate-limit.guard.js';
import { ApiErrors, Describe, Responds } from '../../openapi/decorators/api-route.js';
import { CurrentUser, From, Public } from '../auth.decorators.js';
import { toUserDto, UserWithTokensResponse } from '../dto/tokens.response.js';
import { VerifiesPassword } from '../passwords/password.decorators.js';
import type { UserPrincipal } from '../principal.js';
import type { Device } from '../sessions/session.js';
import { ConfirmationDto, LoginFactorDto, LoginPasskeyDto } from './dto/factor.dto.js';
import { PasskeyOptionsResponse, StepUpOptionsResponse } from './dto/factor.response.js';
import { SignIn, type SignedIn } from './sign-in.service.js';
import { StepUp } from './step-up.service.js';

/** The errors of signing in with a second factor, whichever way the tokens are returned. */
export const SIGN_IN_ERRORS = [
  ...(['WRONG_FACTOR', 'TOO_MANY_WRONG_CODES', 'TOO_MANY_REQUESTS'] as const),
  ...(['INVALID_CREDENTIALS', 'ACCOUNT_DISABLED'] as const),
] as const;

@ApiTags('auth')
@Controller('auth')
export class SignInController {
  constructor(
    private readonly signIn: SignIn,
    private readonly confirmations: StepUp,
  ) {}

  @Post('login/factor')
  @Public()
  @UseInterceptors(LoginLimitInterceptor)
  @Describe(
    'Log in with a second factor',
    'After POST /auth/login responds `FACTOR_REQUIRED`. Send its `challenge` and exactly one of `code`, `response` and ' +
      '`recoveryCode`. A challenge is valid for 5 minutes and 5 tries.',
  )
  @Responds(200, 'The member and the tokens of a new session', UserWithTokensResponse)
  @ApiErrors('INVALID_CHALLENGE', ...SIGN_IN_ERRORS)
  async loginWithFactor(
    @From() device: Device,
    @Body() factor: LoginFactorDto,
  ): Promise<UserWithTokensResponse> {
    return toResponse(await this.signIn.withFactor(factor, device));
  }

  @Post('login/passkey/options')
  @Public()
  @RateLimit('refresh')
  @Describe(
    'Get the options for logging in with a passkey alone',
    'For `navigator.credentials.get`, on a page at PUBLIC_URL.',
  )
  @Responds(200, 'The options', PasskeyOptionsResponse)
  @ApiErrors('PASSKEYS_OFF')
  async createLoginOptions(): Promise<PasskeyOptionsResponse> {
    return { passkeyOptions: await this.signIn.passkeyOptions() };
  }

  @Post('login/passkey')
  @Public()
  @UseInterceptors(LoginLimitInterceptor)
  @Describe('Log in with a passkey alone', 'A passkey replaces the password and the second factor.')
  @Responds(200, 'The member and the tokens of a new session', UserWithTokensResponse)
  @ApiErrors(...SIGN_IN_ERRORS)
  async loginWithPasskey(
    @From() device: Device,
    @Body() { response }: LoginPasskeyDto,
  ): Promise<UserWithTokensResponse> {
    return toResponse(await this.signIn.withPasskey(response, device));
  }

  @Post('step-up/options')
  @Describe('Get the options for confirming with a passkey', 'For `navigator.credentials.get`.')
  @Responds(200, 'The options', StepUpOptionsResponse)
  async createStepUpOptions(@CurrentUser() user: UserPrincipal): Promise<StepUpOptionsResponse> {
    return { passkeyOptions: await this.confirmations.passkeyOptions(user) };
  }

  @Post('step-up')
  @VerifiesPassword()
  @Describe(
    'Confirm that it is you',
    'Some changes need a confirmation from the last 10 minutes; a login counts as one. Send exactly one of ' +
      '`password`, `code` and `response`: a second factor if you have one, otherwise the password.',
  )
  @Responds(204, 'Confirmed')
  @ApiErrors('FACTOR_REQUIRED', 'WRONG_FACTOR', 'TOO_MANY_WRONG_CODES')
  stepUp(
    @CurrentUser() user: UserPrincipal,
    @ClientAddress() address: string,
    @Body() confirmation: ConfirmationDto,
  ): Promise<void> {
    return this.confirmations.confirm(user, confirmation, address);
  }
}

const toResponse = ({ user, tokens }: SignedIn): UserWithTokensResponse => ({
  message: 'Logged in',
  user: toUserDto(user),
  ...tokens,
});
