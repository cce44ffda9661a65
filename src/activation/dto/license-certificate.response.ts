import { ApiProperty } from '@nestjs/swagger';
import { ApiCertificate } from '../../certificates/dto/api-certificate.decorator.js';
import { LicenseDto } from '../../licenses/dto/license.response.js';

/** Response of POST /licenses/:id/certificates. */
export class IssuedCertificate {
  @ApiProperty({ example: 'Certificate issued successfully' })
  message!: string;

  @ApiCertificate('The certificate, for the software to install')
  certificate!: string;

  @ApiProperty({ type: LicenseDto })
  license!: LicenseDto;
}
