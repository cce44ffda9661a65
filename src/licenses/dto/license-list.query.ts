import { ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { IsObjectId, IsText, IsTimestamp } from '../../shared/fields/request.decorators.js';
import { ENTITLEMENT, MatchesEntitlement } from './terms.decorators.js';
import { CountedPageQuery } from '../../shared/pagination/page.query.js';
import { LICENSE_STATUSES, type LicenseStatus } from '../license.js';
import { IsProductLabel } from './product.decorators.js';

const SORTS = ['createdAt', 'expiresAt'] as const;
const ORDERS = ['asc', 'desc'] as const;

/** The filters and the order of licenses. */
export class LicenseFilterQuery {
  @ApiPropertyOptional({
    description: 'Only licenses with this status',
    enum: LICENSE_STATUSES,
    enumName: 'LicenseStatus',
  })
  @IsOptional()
  @IsIn(LICENSE_STATUSES)
  status?: LicenseStatus;

  @IsObjectId('Only licenses of this client', { required: false })
  clientId?: string;

  @IsObjectId('Only licenses of this project', { required: false })
  projectId?: string;

  @IsOptional()
  @IsProductLabel('Only licenses of this product')
  product?: string;

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

  @IsTimestamp(
    'Only activated licenses that expire at or after this time, or never',
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

  @ApiPropertyOptional({
    description: 'Sort order',
    enum: ORDERS,
    enumName: 'SortOrder',
    default: 'desc',
  })
  @IsOptional()
  @IsIn(ORDERS)
  order: (typeof ORDERS)[number] = 'desc';
}

export class LicenseListQuery extends IntersectionType(CountedPageQuery, LicenseFilterQuery) {}
