import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray } from 'class-validator';
import { IsObjectId, IsText, AsSent } from '../../shared/fields/request.decorators.js';
import { IsOneOf } from '../../shared/fields/value.decorators.js';
import { ApiInteger, ApiObjectId } from '../../shared/fields/response.decorators.js';
import { RenewLicenseDto, SuspendLicenseDto, UpdateLicenseDto } from './license.dto.js';
import { LicenseDto } from './license.response.js';
import { Satisfies } from './terms.decorators.js';

/** The batch operations, each with the corresponding operation for a single license. */
export const BATCH_OPERATIONS = {
  renew: 'renewLicense',
  suspend: 'suspendLicense',
  resume: 'resumeLicense',
  revoke: 'revokeLicense',
  update: 'updateLicense',
} as const;
export type BatchOperation = keyof typeof BATCH_OPERATIONS;

const OPERATIONS = Object.keys(BATCH_OPERATIONS);
/** Maximum number of licenses in one request. */
const MAX_ITEMS = 100;

const nameOf = (item: { readonly id?: unknown; readonly externalId?: unknown } | null) =>
  item?.id ?? item?.externalId;

const areNamed = (items: unknown) =>
  Array.isArray(items) && items.every((item: object | null) => typeof nameOf(item) === 'string');

/** Identifies a license in a batch. */
export class LicenseItemDto {
  @IsObjectId('The license. Send this or `externalId`.', { required: false })
  id?: string;

  @IsText(1, 200, {
    description:
      'Your own reference, instead of `id`. In an update that also has `id`, it is the new reference.',
    nullable: true,
    required: false,
  })
  externalId?: string | null;
}

export class RenewItemDto extends IntersectionType(LicenseItemDto, RenewLicenseDto) {}

/** Also used for a revocation, because both have only a reason. */
export class SuspendItemDto extends IntersectionType(LicenseItemDto, SuspendLicenseDto) {}

export class UpdateItemDto extends IntersectionType(UpdateLicenseDto, LicenseItemDto) {}

/** The fields that an item can have, regardless of the operation. */
class LicenseBatchItem extends IntersectionType(
  RenewLicenseDto,
  SuspendLicenseDto,
  UpdateItemDto,
) {}

/** Body of POST /licenses/batch. Each item is validated separately, so it has its own outcome. */
export class ChangeLicensesDto {
  @IsOneOf(OPERATIONS, { enumName: 'BatchOperation', example: 'renew' })
  operation!: BatchOperation;

  @ApiProperty({
    description: 'The licenses, each with the fields of the request that changes a single license',
    type: [LicenseBatchItem],
    minItems: 1,
    maxItems: MAX_ITEMS,
    example: [{ externalId: 'order-2026-0815', duration: 12 }],
  })
  // Each item is validated when its license is changed.
  @AsSent()
  @ArrayUnique(nameOf, { message: '$property must name each license once' })
  @Satisfies('areNamed', areNamed, '$property must each have an id or an externalId')
  @ArrayMaxSize(MAX_ITEMS)
  @ArrayMinSize(1)
  @IsArray()
  items!: readonly object[];
}

/** The outcome of an item. */
export class LicenseOutcome {
  @ApiObjectId('The license; null if there is none', { nullable: true })
  id!: string | null;

  @ApiInteger('The HTTP status that a request for this license alone would get', { example: 200 })
  status!: number;

  @ApiPropertyOptional({
    description: 'The error code; absent after a change',
    example: 'LICENSE_NOT_FOUND',
  })
  code?: string;

  @ApiPropertyOptional({ description: 'What is wrong', example: 'License not found' })
  message?: string;

  @ApiPropertyOptional({ type: LicenseDto, description: 'The license as it is now' })
  license?: LicenseDto;
}

export class ChangedLicenses {
  @ApiProperty({ type: [LicenseOutcome], description: 'In the order of the items' })
  results!: LicenseOutcome[];
}
