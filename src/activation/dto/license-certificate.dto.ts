import { ApiPropertyOptional, ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString, ValidateBy } from 'class-validator';
import { IsPrintable, IsTextAs, Required } from '../../shared/fields/request.decorators.js';
import { ApiCertificate } from '../../certificates/dto/api-certificate.decorator.js';
import { MAX_DAYS, MIN_DAYS } from '../../certificates/certificate.js';
import { LicenseDto } from '../../licenses/dto/license.response.js';
import { IsProduct } from '../../licenses/dto/product.decorators.js';
import { ApiInteger, WithMessage } from '../../shared/fields/response.decorators.js';

export class LicenseCertificateDto {
  @Required('FINGERPRINT_REQUIRED')
  @IsTextAs((text) => text, 16, 256, {
    description: 'Identifies the machine. The software shows it in its request.',
    example: 'b7c1f6a0-5a0d-4b8e-9f55-0d9f6f6a2f11',
  })
  @IsPrintable()
  fingerprint!: string;

  @Required('PRODUCT_REQUIRED')
  @IsProduct("The product label of the software, or its project's id", {
    required: true,
  })
  product!: string;

  @ApiInteger('Lifetime in days. The certificate never outlives the license.', {
    minimum: MIN_DAYS,
    maximum: MAX_DAYS,
    example: 366,
  })
  @ValidateBy(
    { name: 'isDays', validator: { validate: isDays } },
    { message: `$property must be a whole number from ${MIN_DAYS} to ${MAX_DAYS}` },
  )
  days!: number;

  @ApiPropertyOptional({
    description:
      "The `check` from the software's request, a checksum that catches typing mistakes in the fingerprint or product",
    type: String,
    nullable: true,
    pattern: '^[0-9a-f]{8}$',
    example: '5d0c81aa',
  })
  @IsOptional()
  @IsString()
  check?: string | null;
}

function isDays(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= MIN_DAYS && Number(value) <= MAX_DAYS;
}

export class IssuedCertificate extends WithMessage('Certificate issued') {
  @ApiCertificate('The certificate to install in the software')
  certificate!: string;

  @ApiProperty({ type: LicenseDto })
  license!: LicenseDto;
}
