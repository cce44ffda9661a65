import { ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { IsObjectId, IsText, IsTimestamp } from '../../shared/fields/request.decorators.js';
import { ENTITLEMENT, MatchesEntitlement } from './terms.decorators.js';
import { IsSortOrder, type SortOrder } from '../../shared/fields/query.decorators.js';
import { CountedPageQuery } from '../../shared/pagination/page.query.js';
import { LICENSE_STATUSES, type LicenseStatus } from '../license.js';
import { IsProductLabel } from './product.decorators.js';

/** A metadata pair: name and value. */
const PAIR = /^[^:]{1,64}:.{0,500}$/u;
const SORTS = ['createdAt', 'expiresAt'] as const;

/** The filters and the order of licenses. */
export class LicenseFilterQuery {
  @ApiPropertyOptional({
    description: 'Only licenses with this status; repeatable',
    isArray: true,
    enum: LICENSE_STATUSES,
    enumName: 'LicenseStatus',
  })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => [...new Set([value].flat())])
  @IsIn(LICENSE_STATUSES, { each: true })
  status?: LicenseStatus[];

  @IsObjectId('Only licenses of this client', { required: false })
  clientId?: string;

  @IsObjectId('Only licenses of this project', { required: false })
  projectId?: string;

  @IsOptional()
  @IsProductLabel('Only licenses of this product')
  product?: string;

  @IsObjectId('Only licenses of this plan', { required: false })
  plan?: string;

  @ApiPropertyOptional({ description: 'Only the license with this external id', maxLength: 200 })
  @IsOptional()
  @IsText(1, 200)
  externalId?: string;

  @ApiPropertyOptional({
    description: 'Only licenses with this feature',
    pattern: ENTITLEMENT.source,
  })
  @IsOptional()
  @MatchesEntitlement()
  entitlement?: string;

  @ApiPropertyOptional({
    description:
      'Only licenses with this metadata pair, as `name:value`. The name cannot contain a colon.',
    pattern: PAIR.source,
    example: 'seller:Miriam',
  })
  @IsOptional()
  @Matches(PAIR, { message: '$property must be a name and a value, such as seller:Miriam' })
  metadata?: string;

  @IsTimestamp('Only licenses that were created at this time or later', '2026-01-31T00:00:00.000Z')
  createdAfter?: Date;

  @IsTimestamp('Only licenses that were created before this time', '2026-02-28T00:00:00.000Z')
  createdBefore?: Date;

  @IsTimestamp(
    'Only activated licenses that expire at or after this time or never expire',
    '2026-07-31T00:00:00.000Z',
  )
  expiresAfter?: Date;

  @IsTimestamp(
    'Only licenses whose expiry date is before this time. Licenses that were never activated have none.',
    '2026-07-31T00:00:00.000Z',
  )
  expiresBefore?: Date;

  @ApiPropertyOptional({
    description: 'Sort field',
    enum: SORTS,
    enumName: 'LicenseSort',
    default: 'createdAt',
  })
  @IsOptional()
  @IsIn(SORTS)
  sort: (typeof SORTS)[number] = 'createdAt';

  @IsSortOrder('Sort order', 'desc')
  order: SortOrder = 'desc';
}

export class LicenseListQuery extends IntersectionType(CountedPageQuery, LicenseFilterQuery) {}
