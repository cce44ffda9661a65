import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsOptional, Max, Min, ValidateBy, ValidateIf } from 'class-validator';
import { MachineParams } from '../../machines/dto/machine.response.js';
import {
  IdParam,
  IsEmailAddress,
  IsName,
  IsObjectId,
  IsPrintable,
  IsText,
} from '../../shared/fields/request.decorators.js';
import { ApiInteger, EXAMPLE_TOKEN } from '../../shared/fields/response.decorators.js';
import { isLogo, MAX_LOGO, MAX_PIXELS } from '../png.js';
import { MAX_RELEASES } from '../portal.js';

const SUPPORT_URL = {
  description: 'Where customers get help: an `https` or `mailto` URL; null for none',
  type: String,
  nullable: true,
  example: 'mailto:support@studio.example',
};
export const LOGO = {
  description: `Your logo: a PNG of at most ${MAX_LOGO / 1024} kB and ${MAX_PIXELS} pixels each way, base64; null for none`,
  type: String,
  nullable: true,
  example: null,
};
/** Base64 of the largest logo. */
const MAX_ENCODED = Math.ceil(MAX_LOGO / 3) * 4;

/** An https or mailto URL without a password. */
function isSupportUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, username, password, hostname, pathname } = new URL(value);
  if (protocol === 'mailto:') return /^[^\s@<>"]+@[^\s@<>"]+$/.test(pathname);
  return protocol === 'https:' && hostname !== '' && username === '' && password === '';
}

const IsSupportUrl = () =>
  applyDecorators(
    IsOptional(),
    IsText(1, 500),
    IsPrintable((body) => (body as PutPortalDto).supportUrl != null),
    ValidateBy(
      { name: 'isSupportUrl', validator: { validate: isSupportUrl } },
      { message: '$property must be an https or mailto URL' },
    ),
  );

const IsLogo = () =>
  applyDecorators(
    IsOptional(),
    ValidateBy(
      {
        name: 'isLogo',
        validator: {
          validate(value) {
            if (typeof value !== 'string' || value.length > MAX_ENCODED) return false;
            const bytes = Buffer.from(value, 'base64');
            return bytes.toString('base64') === value && isLogo(bytes);
          },
        },
      },
      {
        message: `$property must be a PNG of at most ${MAX_LOGO / 1024} kB and ${MAX_PIXELS} pixels each way, in base64`,
      },
    ),
  );

const isSent = (_body: object, value: unknown) => value !== undefined;

/** Body of PUT /portal: all settings; omitted fields get their defaults. */
export class PutPortalDto {
  @ApiProperty({ description: 'Whether customers can sign in', example: true })
  @IsBoolean()
  enabled!: boolean;

  @IsName(200, { description: 'The name customers know you by', example: 'Studio Ada' })
  name!: string;

  @ApiPropertyOptional({ ...SUPPORT_URL, maxLength: 500 })
  @IsSupportUrl()
  supportUrl?: string | null;

  @ApiPropertyOptional({ ...LOGO, maxLength: MAX_ENCODED })
  @IsLogo()
  logo?: string | null;

  @ApiPropertyOptional({
    description: 'Whether customers see their license keys in full',
    type: Boolean,
    default: false,
    example: true,
  })
  @ValidateIf(isSent)
  @IsBoolean()
  showKey?: boolean;

  @ApiInteger(
    'How many machines of a license a customer can release in 30 days; 0 turns releases off',
    { required: false, minimum: 0, maximum: MAX_RELEASES, default: 3, example: 3 },
  )
  @ValidateIf(isSent)
  @IsInt()
  @Min(0)
  @Max(MAX_RELEASES)
  releasesPer30Days?: number;
}

export class IssuerParam {
  @IsObjectId('The account: `issuer` of its signing keys')
  issuer!: string;
}

/** Body of POST /portal/:issuer/session. */
export class PortalTokenDto {
  @IsText(1, 100, { description: 'The part of the link after `#`', example: EXAMPLE_TOKEN })
  token!: string;
}

export class CustomerLicenseParams extends IntersectionType(IssuerParam, IdParam) {}

export class CustomerMachineParams extends IntersectionType(IssuerParam, MachineParams) {}

/** Body of POST /portal/:issuer/login. */
export class PortalLoginDto {
  @IsEmailAddress({ description: "The client's email address", example: 'office@acme.example' })
  email!: string;
}
