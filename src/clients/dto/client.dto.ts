import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';
import {
  IsEmailAddress,
  IsSearch,
  IsName,
  Required,
} from '../../shared/fields/request.decorators.js';
import { IsFlag, IsSortOrder, type SortOrder } from '../../shared/fields/query.decorators.js';
import { CountedPageQuery } from '../../shared/pagination/page.query.js';

/** Body of POST /clients (specification, section 4.1). */
export class CreateClientDto {
  @ApiProperty({
    description: 'Client or company name',
    example: 'Acme Ltd',
    minLength: 1,
    maxLength: 200,
  })
  @Required('CLIENT_NAME_REQUIRED')
  @IsName(200)
  name!: string;

  @ApiProperty({
    description: 'Unique across all clients; stored in lower case',
    example: 'office@acme.example',
    format: 'email',
    maxLength: 254,
  })
  @Required('CLIENT_EMAIL_REQUIRED')
  @IsEmailAddress()
  @Matches(/^(?!.*@imported\.invalid$)/, {
    message: '$property must not end with @imported.invalid',
  })
  email!: string;
}

/** Body of PATCH /clients/:id; absent fields are not changed. */
export class UpdateClientDto extends PartialType(CreateClientDto, { skipNullProperties: false }) {}

const SORTS = ['createdAt', 'name'] as const;

export class ClientListQuery extends CountedPageQuery {
  @IsSearch(
    'Only clients whose name or email address contains this (case and accents are ignored)',
    'acme',
  )
  search?: string;

  @ApiPropertyOptional({
    description: 'Only the client with this email address',
    example: 'office@acme.example',
    maxLength: 254,
  })
  @IsOptional()
  @IsEmailAddress()
  email?: string;

  @ApiPropertyOptional({
    description: 'Sort field. `name` ignores case and accents.',
    enum: SORTS,
    enumName: 'ClientSort',
    default: 'createdAt',
  })
  @IsOptional()
  @IsIn(SORTS)
  sort: (typeof SORTS)[number] = 'createdAt';

  @IsSortOrder('Sort order; by default `asc` for `name` and `desc` for `createdAt`')
  order?: SortOrder;

  @ApiPropertyOptional({
    description: 'Set to true to also get the `licensesCount` of each client',
    type: Boolean,
    example: true,
  })
  @IsOptional()
  @IsFlag()
  licensesCount?: boolean;
}
