import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { InWorkClass } from '../http/route-config.js';
import { RateLimit } from '../limits/rate-limit.guard.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { RequestedLinkResponse } from '../shared/fields/response.decorators.js';
import { IdempotencyOf } from '../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import { EmailChanges } from './accounts/email-changes.service.js';
import { toApiKeyDto } from './api-keys/dto/api-key.dto.js';
import { CurrentUser, Public } from './auth.decorators.js';
import {
  ChangeEmailDto,
  ConfirmedEmailResponse,
  ConfirmPasswordResetDto,
  LinkDto,
  PasswordResetResponse,
  RequestPasswordResetDto,
} from './dto/recovery.dto.js';
import { PasswordResets } from './passwords/password-resets.service.js';
import type { UserPrincipal } from './principal.js';

/** The routes behind emailed links. */
@ApiTags('auth')
@Controller('auth')
export class RecoveryController {
  constructor(
    private readonly resets: PasswordResets,
    private readonly emails: EmailChanges,
  ) {}

  @Post('password-reset')
  @Public()
  @RateLimit('passwordReset')
  @Describe(
    'Request a link to reset your password',
    'The response is the same whether or not the address has a login. The link works once and expires after 60 ' +
      'minutes. At most three ' +
      'are sent an hour.',
  )
  @Responds(202, 'The link is sent if the address has a login', RequestedLinkResponse)
  @ApiErrors('MAIL_OFF')
  async requestPasswordReset(
    @Body() { email }: RequestPasswordResetDto,
  ): Promise<RequestedLinkResponse> {
    await this.resets.request(email);
    return { message: 'Check your email' };
  }

  @Post('password-reset/confirm')
  @HttpCode(200)
  @InWorkClass('passwords')
  @Public()
  @RateLimit('registration')
  @Describe(
    'Reset your password',
    'Ends all sessions of the login without starting a new one. The link still works if the new password is rejected.',
  )
  @Responds(200, 'Password reset', PasswordResetResponse)
  @ApiErrors('INVALID_LINK')
  async confirmPasswordReset(
    @Body() { token, password }: ConfirmPasswordResetDto,
  ): Promise<PasswordResetResponse> {
    const apiKeys = await this.resets.confirm(token, password);
    return { message: 'Password reset', apiKeys: apiKeys.map(toApiKeyDto) };
  }

  @Post('email')
  @Describe(
    'Change or confirm your email address',
    'Emails a link to the new address. The link works once and expires after 24 hours. Send your current address to ' +
      'confirm it. At most three links are sent ' +
      'an hour. An account that tries too many taken addresses gets 429, whether or not this address has a login.',
  )
  @Responds(202, 'The link is sent', RequestedLinkResponse)
  @ApiErrors('MAIL_OFF', 'EMAIL_ALREADY_REGISTERED')
  async changeEmail(
    @CurrentUser() user: UserPrincipal,
    @Body() { email }: ChangeEmailDto,
    @IdempotencyOf('email') idempotency: IdempotencyRecord | undefined,
  ): Promise<RequestedLinkResponse> {
    await this.emails.request(user, email, idempotency);
    return { message: 'Check your email' };
  }

  @Post('email/confirm')
  @HttpCode(200)
  @Public()
  @RateLimit('registration')
  @Describe(
    'Confirm an email address',
    'From now on, members sign in with the new address. The previous address is notified. Sessions and API keys keep working.',
  )
  @Responds(200, 'Email address confirmed', ConfirmedEmailResponse)
  @ApiErrors('INVALID_LINK', 'EMAIL_ALREADY_REGISTERED')
  async confirmEmail(@Body() { token }: LinkDto): Promise<ConfirmedEmailResponse> {
    const email = await this.emails.confirm(token);
    return { message: 'Email address confirmed', email };
  }
}
