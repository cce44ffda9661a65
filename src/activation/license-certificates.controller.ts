import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser } from '../auth/auth.decorators.js';
import type { Principal } from '../auth/principal.js';
import { LicensePresenter } from '../licenses/license.presenter.js';
import { ApiErrors } from '../openapi/decorators/api-errors.decorator.js';
import { IdParams } from '../shared/fields/object-id.decorator.js';
import { ApiIdempotencyKey, Idempotency } from '../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import { LicenseCertificateDto } from './dto/license-certificate.dto.js';
import { IssuedCertificate } from './dto/license-certificate.response.js';
import { LicenseCertificates } from './license-certificates.service.js';

@ApiTags('licenses')
@Controller('licenses/:id/certificates')
export class LicenseCertificatesController {
  constructor(
    private readonly certificates: LicenseCertificates,
    private readonly presenter: LicensePresenter,
  ) {}

  @Post()
  @ApiIdempotencyKey()
  @ApiOperation({
    operationId: 'issueCertificate',
    summary: 'Issue a certificate for a machine without a network',
    description:
      'Send what the software requests, with the days. A PENDING license is activated for that machine; an ACTIVE one ' +
      'must be bound to it. A later revocation reaches the machine when the certificate ends.',
  })
  @ApiCreatedResponse({ type: IssuedCertificate, description: 'The certificate, and the license' })
  @ApiErrors(
    'FINGERPRINT_REQUIRED',
    'PRODUCT_REQUIRED',
    'LICENSE_NOT_FOUND',
    'LICENSE_OF_ANOTHER_PRODUCT',
    'LICENSE_ALREADY_REVOKED',
    'LICENSE_TERM_ENDED',
    'LICENSE_BOUND_ELSEWHERE',
  )
  async issue(
    @CurrentUser() { accountId }: Principal,
    @Param() { id }: IdParams,
    @Body() request: LicenseCertificateDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<IssuedCertificate> {
    const { license, certificate } = await this.certificates.issue(
      id,
      accountId,
      request,
      idempotency,
    );
    return {
      message: 'Certificate issued successfully',
      certificate,
      license: this.presenter.presentChanged(license),
    };
  }
}
