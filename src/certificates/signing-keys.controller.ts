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
    'Read the public keys that your software verifies certificates with',
    'Created at the first request. Build `issuer` and both keys into your software.',
  )
  @Responds(200, 'The keys', SigningKeysResponse)
  getSigningKeys(@Account() accountId: AccountId): Promise<SigningKeysResponse> {
    return this.signingKeys.get(accountId);
  }

  @Post('signing-keys/rotate')
  @VerifiesPassword()
  @Describe(
    'Rotate your signing keys',
    'The next key becomes the current one, and a new next key is created. The former key signs nothing after one ' +
      'minute at most. Builds that contain the next key keep working; two rotations strand builds that know ' +
      'only the older pair. It takes the password of the owner. Wrong passwords are limited as those of POST /auth/password.',
  )
  @Responds(200, 'The keys after the rotation', RotatedSigningKeysResponse)
  @ApiErrors('SIGNING_KEY_NOT_CURRENT', 'RETIRED_KEY_QUOTA_REACHED')
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
    description: 'Claim `iss` of a certificate',
    schema: { type: 'string', pattern: '^[0-9a-f]{24}$', example: EXAMPLE_ID },
  })
  @Describe(
    "Read an issuer's keys as a JWK Set",
    'For servers that verify certificates: the current key, the next one, and retired ones whose certificates ' +
      'have not all expired. Empty for an unknown issuer. It may be cached for a minute.',
  )
  @Responds(200, 'The keys', JwkSetResponse)
  async getKeySet(@Param('issuer') issuer: string): Promise<JwkSetResponse> {
    return { keys: await this.signingKeys.listPublished(issuer) };
  }
}
