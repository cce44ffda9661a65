import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Account } from '../auth/auth.decorators.js';
import { LicensePresenter } from '../licenses/license.presenter.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { IdParam } from '../shared/fields/request.decorators.js';
import type { AccountId } from '../shared/ids.js';
import { Idempotency } from '../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import { IssuedCertificate, LicenseCertificateDto } from './dto/license-certificate.dto.js';
import { LicenseCertificates } from './license-certificates.service.js';

@ApiTags('licenses')
@Controller('licenses/:id/certificates')
export class LicenseCertificatesController {
  constructor(
    private readonly certificates: LicenseCertificates,
    private readonly presenter: LicensePresenter,
  ) {}

  @Post()
  @Describe(
    'Issue a certificate for offline activation',
    'Send the values shown by the software on the offline machine, and the number of days. The machine takes a seat ' +
      'unless it already ' +
      'holds one. On a floating license it keeps the seat until the certificate expires. If you revoke the license later, the machine keeps working until then.',
  )
  @Responds(201, 'The certificate and the license', IssuedCertificate)
  @ApiErrors(
    'FINGERPRINT_REQUIRED',
    'FINGERPRINT_INVALID',
    'PRODUCT_REQUIRED',
    'LICENSE_NOT_FOUND',
    'LICENSE_OF_ANOTHER_PRODUCT',
    'LICENSE_ALREADY_REVOKED',
    'LICENSE_TERM_ENDED',
    'LICENSE_SUSPENDED',
    'LICENSE_BOUND_ELSEWHERE',
    'MACHINE_LIMIT_REACHED',
    'MACHINE_QUOTA_REACHED',
    'TRIAL_USED',
  )
  async issueCertificate(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Body() request: LicenseCertificateDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<IssuedCertificate> {
    const issued = await this.certificates.issue(id, accountId, request, idempotency);
    return {
      message: 'Certificate issued',
      certificate: issued.certificate,
      license: this.presenter.present(issued.license),
    };
  }
}
