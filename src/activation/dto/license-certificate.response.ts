import { ApiProperty } from '@nestjs/swagger';
import { WithMessage } from '../../shared/fields/response.decorators.js';
import { ApiCertificate } from '../../certificates/dto/api-certificate.decorator.js';
import { LicenseDto } from '../../licenses/dto/license.response.js';

export class IssuedCertificate extends WithMessage('Certificate issued successfully') {
  @ApiCertificate('The certificate, for the software to install')
  certificate!: string;

  @ApiProperty({ type: LicenseDto })
  license!: LicenseDto;
}
