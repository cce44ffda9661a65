import { ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsOptional } from 'class-validator';
import { IsObjectId, IsText, IsTimestamp } from '../../shared/fields/request.decorators.js';
import { IsLike, IsOneOf } from '../../shared/fields/value.decorators.js';
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

  @IsText(1, 200, { description: 'Only the license with this external id', required: false })
  externalId?: string;

  @ApiPropertyOptional({
    description: 'Only licenses with this feature',
    pattern: ENTITLEMENT.source,
  })
  @IsOptional()
  @MatchesEntitlement()
  entitlement?: string;

  @IsLike(PAIR, 'a name and a value, such as seller:Miriam', {
    description:
      'Only licenses with this metadata pair, as `name:value`. The name cannot contain a colon.',
    example: 'seller:Miriam',
    required: false,
  })
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

  @IsOneOf(SORTS, {
    description: 'Sort field',
    enumName: 'LicenseSort',
    default: 'createdAt',
    required: false,
  })
  sort: (typeof SORTS)[number] = 'createdAt';

  @IsSortOrder('Sort order', 'desc')
  order: SortOrder = 'desc';
}

export class LicenseListQuery extends IntersectionType(CountedPageQuery, LicenseFilterQuery) {}
