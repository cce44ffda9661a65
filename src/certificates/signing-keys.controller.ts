import { Body, Controller, Get, Header, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentUser, Public } from '../auth/auth.decorators.js';
import type { Principal } from '../auth/principal.js';
import { ApiErrors } from '../openapi/decorators/api-errors.decorator.js';
import { EXAMPLE_ID } from '../openapi/decorators/api-fields.decorators.js';
import { RateLimit } from '../server/rate-limit/route-limits.js';
import { ApiIdempotencyKey, Idempotency } from '../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import { RotateSigningKeysDto } from './dto/rotate-signing-keys.dto.js';
import {
  JwkSetResponse,
  RotatedSigningKeysResponse,
  SigningKeysResponse,
  toJwk,
  toRotatedResponse,
  toSigningKeysResponse,
} from './dto/signing-keys.response.js';
import { SigningKeysService } from './signing-keys/signing-keys.service.js';

@ApiTags('signing keys')
@Controller()
export class SigningKeysController {
  constructor(private readonly signingKeys: SigningKeysService) {}

  @Get('signing-keys')
  @ApiOperation({
    operationId: 'getSigningKeys',
    summary: 'Read the public keys that your software verifies certificates with',
    description: 'Created at the first request. Build `issuer` and both keys into your software.',
  })
  @ApiOkResponse({ type: SigningKeysResponse, description: 'The keys' })
  async get(@CurrentUser() { accountId }: Principal): Promise<SigningKeysResponse> {
    return toSigningKeysResponse(await this.signingKeys.get(accountId));
  }

  @Post('signing-keys/rotate')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiOperation({
    operationId: 'rotateSigningKeys',
    summary: 'Rotate your signing keys',
    description:
      'The next key becomes the current one, and a new next key is created. The former key signs nothing after one ' +
      'minute at most. Builds that contain the next key keep working; two rotations strand builds that know ' +
      'only the older pair.',
  })
  @ApiOkResponse({ type: RotatedSigningKeysResponse, description: 'The keys after the rotation' })
  @ApiErrors('SIGNING_KEY_NOT_CURRENT', 'RETIRED_KEY_QUOTA_REACHED')
  async rotate(
    @CurrentUser() { accountId }: Principal,
    @Body() { current, compromised }: RotateSigningKeysDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<RotatedSigningKeysResponse> {
    return toRotatedResponse(
      await this.signingKeys.rotate(accountId, current, compromised === true, idempotency),
    );
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
  @ApiOperation({
    operationId: 'getKeySet',
    summary: "Read an issuer's keys as a JWK Set",
    description:
      'For servers that verify certificates: the current key, the next one, and retired ones whose certificates ' +
      'have not all expired. Empty for an unknown issuer. It may be cached for a minute.',
  })
  @ApiOkResponse({ type: JwkSetResponse, description: 'The keys' })
  async listPublished(@Param('issuer') issuer: string): Promise<JwkSetResponse> {
    return { keys: (await this.signingKeys.listPublished(issuer)).map(toJwk) };
  }
}
