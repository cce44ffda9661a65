import { Body, Controller, Get, Header, Param, Post } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Account, CurrentUser, Public } from '../auth/auth.decorators.js';
import type { UserPrincipal } from '../auth/principal.js';
import { VerifiesPassword } from '../auth/passwords/password.decorators.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { EXAMPLE_ID } from '../shared/fields/response.decorators.js';
import { ClientAddress } from '../http/client-address.js';
import { RateLimit } from '../limits/rate-limit.guard.js';
import type { AccountId } from '../shared/ids.js';
import { IdempotencyOf } from '../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import { RotateSigningKeysDto } from './dto/rotate-signing-keys.dto.js';
import {
  buildsThatWork,
  JwkSetResponse,
  RotatedSigningKeysResponse,
  SigningKeysResponse,
} from './dto/signing-keys.response.js';
import { SigningKeysService } from './signing-keys/signing-keys.service.js';

@ApiTags('signing keys')
@Controller()
export class SigningKeysController {
  constructor(private readonly signingKeys: SigningKeysService) {}

  @Get('signing-keys')
  @Describe(
    'Get the public keys for verifying certificates',
    'The keys are created on the first request. Build `issuer` and both keys into your software.',
  )
  @Responds(200, 'The keys', SigningKeysResponse)
  getSigningKeys(@Account() accountId: AccountId): Promise<SigningKeysResponse> {
    return this.signingKeys.get(accountId);
  }

  @Post('signing-keys/rotate')
  @VerifiesPassword()
  @Describe(
    'Rotate your signing keys',
    'The next key becomes the current key, and a new next key is created. The old key stops signing within a minute. ' +
      'Builds that contain the next key keep working until a second rotation. ' +
      "Send the owner's password, or a second factor if there is one, as for POST /auth/step-up.",
  )
  @Responds(200, 'The keys after the rotation', RotatedSigningKeysResponse)
  @ApiErrors(
    'SIGNING_KEY_NOT_CURRENT',
    'RETIRED_KEY_QUOTA_REACHED',
    'FACTOR_REQUIRED',
    'WRONG_FACTOR',
    'TOO_MANY_WRONG_CODES',
  )
  async rotateSigningKeys(
    @CurrentUser() owner: UserPrincipal,
    @ClientAddress() address: string,
    @Body() rotation: RotateSigningKeysDto,
    @IdempotencyOf('current', 'compromised') idempotency: IdempotencyRecord | undefined,
  ): Promise<RotatedSigningKeysResponse> {
    const keys = await this.signingKeys.rotate(owner, rotation, address, idempotency);
    const builds = buildsThatWork(keys.current.kid);
    return { message: 'Signing keys rotated', builds, ...keys };
  }

  @Get('keys/:issuer')
  @Public()
  @RateLimit('keySets')
  @Header('Cache-Control', 'public, max-age=60')
  @ApiParam({
    name: 'issuer',
    description: 'The `iss` claim of a certificate',
    schema: { type: 'string', pattern: '^[0-9a-f]{24}$', example: EXAMPLE_ID },
  })
  @Describe(
    "Get an issuer's keys as a JWK Set",
    'For servers that verify certificates. Contains the current key, the next key, and retired keys whose ' +
      'certificates may still be valid. Empty for an unknown issuer. Can be cached for a minute.',
  )
  @Responds(200, 'The keys', JwkSetResponse)
  async getKeySet(@Param('issuer') issuer: string): Promise<JwkSetResponse> {
    return { keys: await this.signingKeys.listPublished(issuer) };
  }
}
