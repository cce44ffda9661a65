import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { NewLicenseDto } from '../../licenses/dto/license.dto.js';
import { IsProductLabel } from '../../licenses/dto/product.decorators.js';
import { DAYS, IsInteger, MONTHS, Satisfies } from '../../licenses/dto/terms.decorators.js';
import {
  IsEmailAddress,
  IsName,
  IsText,
  IsTimestamp,
  IsTextAs,
} from '../../shared/fields/request.decorators.js';
import { IsOneOf } from '../../shared/fields/value.decorators.js';
import { IMPORT_STATUSES, type ImportStatus } from '../import-status.js';

const MAX_ROW_MACHINES = 100;
const STATUSES = Object.keys(IMPORT_STATUSES);
const TIME = '2026-01-31T10:15:00.000Z';

/** The client of a row, found by email address or else created. */
export class ImportClientDto {
  @IsText(1, 200, { description: 'Its id in the other product', required: false })
  ref?: string;

  @IsEmailAddress({ example: 'ada@example.com', required: false })
  email?: string;

  @IsName(200, {
    description: 'Defaults to the email address',
    example: 'Ada Ltd',
    required: false,
  })
  name?: string;
}

/** A machine of a row, which holds a seat. */
export class ImportMachineDto {
  @IsTextAs((text) => text.trim(), 1, 256, {
    description:
      'Hashed like the fingerprint of an activation, so a program that sends the same text already holds its seat. If the text is shorter ' +
      'than 16 characters, `keygen:` followed by its SHA-256 in hex is hashed instead.',
    required: false,
  })
  fingerprint?: string;

  @ApiPropertyOptional({ description: 'Set to true for the machine that this service runs on' })
  @IsOptional()
  @IsIn([true])
  service?: true;

  @IsName(100, { example: 'Studio', required: false })
  name?: string;

  @IsTimestamp('When it took its seat', TIME)
  activatedAt?: Date;
}

const LICENSE_FIELDS = [
  ...(['services', 'maxMachines', 'leaseSeconds', 'release', 'entitlements'] as const),
  ...(['metadata', 'externalId', 'updatesUntil', 'updatesDays'] as const),
];

/** A license of another product. */
export class ImportRowDto extends PickType(NewLicenseDto, LICENSE_FIELDS) {
  @IsText(1, 200, { description: 'Its id in the other product; each row is imported only once' })
  ref!: string;

  @ApiProperty({
    description:
      'Its key, 6 to 2,048 printable ASCII characters without spaces or quotes, stored unchanged',
    example: 'C1B6DE-39A6E3-DE1529-8559A0',
  })
  @IsString()
  key!: string;

  @ApiProperty({ type: ImportClientDto })
  @Type(() => Object)
  @Satisfies('isObject', (value) => typeof value === 'object', '$property must be an object')
  client!: object;

  @IsName(200, {
    description: "The name of the client's project. Either this or `product` is required.",
    required: false,
  })
  project?: string;

  @IsOptional()
  @IsProductLabel(
    "The product of the client's project. If the client has a project with this product, it is used",
  )
  product?: string;

  @IsText(1, 200, {
    description: 'The name of a plan, which supplies the fields that the row omits',
    required: false,
  })
  plan?: string;

  @IsOneOf(STATUSES, { enumName: 'ImportStatus', default: 'active', required: false })
  status?: ImportStatus;

  @IsTimestamp('When it was sold', TIME)
  issuedAt?: Date;

  @IsTimestamp('Its first activation', TIME)
  activatedAt?: Date;

  @IsTimestamp(
    'When it expires. Null means that it never expires or, before the first activation, that its term starts with that activation',
    TIME,
    { nullable: true },
  )
  expiresAt?: Date | null;

  @IsInteger('Term in months from the first activation', { ...MONTHS, required: false })
  @IsOptional()
  duration?: number;

  @IsInteger('Term in days from the first activation', { ...DAYS, required: false })
  @IsOptional()
  days?: number;

  @ApiPropertyOptional({
    description:
      'Set to true for a running subscription: without an expiry date, it is then rejected instead of imported as perpetual',
  })
  @IsOptional()
  @IsIn([true, false])
  subscription?: boolean;

  @ApiPropertyOptional({
    description:
      'Set to true for a suspended or revoked license that was never activated, so that its term still starts with its first activation',
  })
  @IsOptional()
  @IsIn([true, false])
  neverActivated?: boolean;

  @IsText(1, 500, { required: false })
  suspendedReason?: string;

  @IsText(1, 500, { required: false })
  revokedReason?: string;

  @ApiPropertyOptional({ type: [ImportMachineDto], maxItems: MAX_ROW_MACHINES })
  @IsOptional()
  @Type(() => Object)
  @ArrayMaxSize(MAX_ROW_MACHINES)
  @IsArray()
  machines?: object[];
}
