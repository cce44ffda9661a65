import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches, ValidateBy, ValidateIf } from 'class-validator';
import { OfShippedSoftware } from '../../http/validation/validation.pipe.js';
import {
  isMissing,
  IsPrintable,
  IsText,
  OnlyTrue,
} from '../../shared/fields/request.decorators.js';
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
    'true requests a certificate, which proves offline that the license may be used on this machine; it needs ' +
      '`fingerprint` and `product`',
  )
  certificate?: true;

  @ApiPropertyOptional({
    description:
      'Random, and new for each request: with `certificate`, a response that ends the license on this machine has a signed ' +
      '`rejection` that repeats it',
    pattern: NONCE.source,
    example: 'q0bX2s9Vd1mZk3Yt7Pw5Lg',
  })
  @ValidateIf((_body: object, value: unknown) => value !== undefined)
  @Matches(NONCE, { message: '$property must be 16 to 64 characters of base64url' })
  nonce?: string;

  @ApiPropertyOptional({
    description:
      'Names the machine that calls: derived by the calling program from that machine, the same at each call. ' +
      'Without it, the machine is the one that this service runs on.',
    type: String,
    nullable: true,
    minLength: 16,
    maxLength: 256,
    example: 'b7c1f6a0-5a0d-4b8e-9f55-0d9f6f6a2f11',
  })
  @RequiredForCertificate('FINGERPRINT_REQUIRED')
  // An empty one is an error: taken as missing, it would bind the license to the machine of this service.
  // The machine of a certificate compares a hash of it: trimming it would hash other bytes.
  @IsText(16, 256, (text, body) => (requestsCertificate(body) ? text : text.trim()))
  @IsPrintable(requestsCertificate)
  fingerprint?: string | null;

  @RequiredForCertificate('PRODUCT_REQUIRED')
  @IsProduct(
    "The label of the product that the software is, or its project's id: a key of another product is treated as unknown",
  )
  product?: string | null;
}

/** Body of POST /validate/activate (specification, section 4.3) and /validate/heartbeat. */
@OfShippedSoftware()
export class ActivationDto extends LicenseKeyDto {
  @ApiPropertyOptional({
    description: 'What the vendor sees of the machine',
    type: String,
    nullable: true,
    minLength: 1,
    maxLength: 100,
    example: 'Office 2, drawing board',
  })
  @IsOptional()
  @IsText(1, 100)
  machineName?: string | null;
}
