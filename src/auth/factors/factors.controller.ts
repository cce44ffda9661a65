import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiErrors, Describe, Responds } from '../../openapi/decorators/api-route.js';
import { CurrentUser } from '../auth.decorators.js';
import type { UserPrincipal } from '../principal.js';
import { CreatePasskeyDto, FactorIdParam, TotpCodeDto } from './dto/factor.dto.js';
import {
  AddedFactorResponse,
  FactorsResponse,
  PasskeyOptionsResponse,
  RecoveryCodesResponse,
  toFactorsResponse,
  TotpSetupResponse,
} from './dto/factor.response.js';
import { FactorsService } from './factors.service.js';

@ApiTags('auth')
@Controller('auth/factors')
export class FactorsController {
  constructor(private readonly factors: FactorsService) {}

  @Get()
  @Describe(
    'Get your second factors',
    'Passkeys, the authenticator app, and how many recovery codes are left.',
  )
  @Responds(200, 'The second factors of your login', FactorsResponse)
  async listFactors(@CurrentUser() user: UserPrincipal): Promise<FactorsResponse> {
    return toFactorsResponse(await this.factors.get(user));
  }

  @Post('totp')
  @Describe(
    'Set up an authenticator app',
    'Returns a secret for the app. It takes effect once you confirm a code in the same session.',
  )
  @Responds(200, 'The secret, as text and as a URI', TotpSetupResponse)
  @ApiErrors('TOTP_EXISTS')
  async setUpTotp(@CurrentUser() user: UserPrincipal): Promise<TotpSetupResponse> {
    const setup = await this.factors.setUpTotp(user);
    return { message: 'Confirm a code of the authenticator app', ...setup };
  }

  @Post('totp/confirm')
  @Describe(
    'Confirm an authenticator app',
    'Turns on the authenticator app. Your first second factor comes with recovery codes and ends your other sessions.',
  )
  @Responds(200, 'The app is set up', AddedFactorResponse)
  @ApiErrors('TOTP_EXISTS', 'TOTP_NOT_STARTED', 'WRONG_FACTOR')
  async confirmTotp(
    @CurrentUser() user: UserPrincipal,
    @Body() { code }: TotpCodeDto,
  ): Promise<AddedFactorResponse> {
    return added(await this.factors.confirmTotp(user, code));
  }

  @Post('passkeys/options')
  @Describe(
    'Get the options for a new passkey',
    'For `navigator.credentials.create`, on a page at PUBLIC_URL.',
  )
  @Responds(200, 'The options', PasskeyOptionsResponse)
  @ApiErrors('PASSKEYS_OFF', 'PASSKEY_QUOTA_REACHED')
  async createPasskeyOptions(@CurrentUser() user: UserPrincipal): Promise<PasskeyOptionsResponse> {
    return { passkeyOptions: await this.factors.passkeyOptions(user) };
  }

  @Post('passkeys')
  @Describe(
    'Add a passkey',
    'Your first second factor comes with recovery codes and ends your other sessions.',
  )
  @Responds(201, 'The passkey is added', AddedFactorResponse)
  @ApiErrors('PASSKEYS_OFF', 'PASSKEY_QUOTA_REACHED', 'PASSKEY_REJECTED')
  async createPasskey(
    @CurrentUser() user: UserPrincipal,
    @Body() { name, response }: CreatePasskeyDto,
  ): Promise<AddedFactorResponse> {
    return added(await this.factors.addPasskey(user, name, response));
  }

  @Delete(':id')
  @Describe(
    'Remove a second factor',
    'A passkey by its id, or the authenticator app as `totp`. Removing the last one deletes the recovery codes.',
  )
  @Responds(204, 'Second factor removed')
  @ApiErrors('FACTOR_NOT_FOUND')
  deleteFactor(@CurrentUser() user: UserPrincipal, @Param() { id }: FactorIdParam): Promise<void> {
    return this.factors.remove(id, user);
  }

  @Post('recovery-codes')
  @Describe(
    'Create new recovery codes',
    'The previous codes stop working. Requires a second factor.',
  )
  @Responds(200, 'The new recovery codes', RecoveryCodesResponse)
  @ApiErrors('FACTOR_NOT_FOUND')
  async createRecoveryCodes(@CurrentUser() user: UserPrincipal): Promise<RecoveryCodesResponse> {
    const recoveryCodes = [...(await this.factors.createRecoveryCodes(user))];
    return { message: 'Recovery codes created', recoveryCodes };
  }
}

const added = (codes: readonly string[] | null): AddedFactorResponse => ({
  message: 'Second factor added',
  recoveryCodes: codes && [...codes],
});
