import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Matches, ValidateBy, ValidateIf } from 'class-validator';
import { OfShippedSoftware } from '../../http/validation/validation.pipe.js';
import {
  isMissing,
  IsName,
  IsPrintable,
  IsTextAs,
} from '../../shared/fields/request.decorators.js';
import { OnlyTrue } from '../../shared/fields/value.decorators.js';
import { IsProduct } from '../../licenses/dto/product.decorators.js';
import { IsLicenseKey } from '../../licenses/dto/terms.decorators.js';
import type { ErrorCode } from '../../shared/errors/error-codes.js';
import type { RejectionContext } from '../../shared/errors/validation-error.js';

const NONCE = /^[A-Za-z0-9_-]{16,64}$/;

const requestsCertificate = (body: object) => (body as LicenseKeyDto).certificate === true;

/** A field that may be absent or null, unless a certificate is requested. */
const RequiredForCertificate = (rejection: ErrorCode) =>
  applyDecorators(
    ValidateIf(
      (body: object, value) => requestsCertificate(body) || (value !== undefined && value !== null),
    ),
    ValidateBy(
      {
        name: 'required',
        validator: {
          validate: (value, args) => !requestsCertificate(args!.object) || !isMissing(value),
        },
      },
      { message: '$property is required', context: { rejection } satisfies RejectionContext },
    ),
  );

/** Body of POST /validate and /validate/release. */
@OfShippedSoftware()
export class LicenseKeyDto {
  @IsLicenseKey()
  key!: string;

  @OnlyTrue(
    'Set to true to get a certificate, which proves offline that the license can be used on this machine. Requires ' +
      '`fingerprint` and `product`',
  )
  certificate?: true;

  @ApiPropertyOptional({
    description:
      'A new random value for each request. With `certificate`, a response that forbids using the license on this ' +
      'machine contains a signed `rejection` with the same value.',
    pattern: NONCE.source,
    example: 'q0bX2s9Vd1mZk3Yt7Pw5Lg',
  })
  @ValidateIf((_body: object, value: unknown) => value !== undefined)
  @Matches(NONCE, { message: '$property must be 16 to 64 base64url characters' })
  nonce?: string;

  @ApiPropertyOptional({
    description:
      'Identifies the calling machine. Your software derives it from the machine and sends the same value every time. ' +
      'If omitted, the machine that this service runs on is used.',
    nullable: true,
    example: 'b7c1f6a0-5a0d-4b8e-9f55-0d9f6f6a2f11',
  })
  @RequiredForCertificate('FINGERPRINT_REQUIRED')
  // An empty fingerprint is an error. If it counted as missing, the license would be bound to the service's
  // own machine. Not trimmed, because the machine compares its hash with the certificate.
  @IsTextAs((text, body) => (requestsCertificate(body) ? text : text.trim()), 16, 256)
  @IsPrintable(requestsCertificate)
  fingerprint?: string | null;

  @RequiredForCertificate('PRODUCT_REQUIRED')
  @IsProduct(
    "The product label of your software, or its project's id. A key for a different product is treated as unknown.",
  )
  product?: string | null;
}

/** Body of POST /validate/activate (specification, section 4.3) and /validate/heartbeat. */
@OfShippedSoftware()
export class ActivationDto extends LicenseKeyDto {
  @IsName(100, {
    description: 'Machine name to show to the vendor',
    example: 'Office 2, drawing board',
    nullable: true,
    required: false,
  })
  machineName?: string | null;
}
