import { PartialType } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { IsEmailAddress, IsName, Required } from '../../shared/fields/request.decorators.js';
import {
  IsSearch,
  IsFlag,
  IsSortOrder,
  type SortOrder,
} from '../../shared/fields/query.decorators.js';
import { IsOneOf } from '../../shared/fields/value.decorators.js';
import { CountedPageQuery } from '../../shared/pagination/page.query.js';

/** Body of POST /clients (specification, section 4.1). */
export class CreateClientDto {
  @Required('CLIENT_NAME_REQUIRED')
  @IsName(200, { description: 'Client or company name', example: 'Acme Ltd' })
  name!: string;

  @Required('CLIENT_EMAIL_REQUIRED')
  @IsEmailAddress({
    description: 'Unique across all clients; stored in lower case',
    example: 'office@acme.example',
  })
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

  @IsEmailAddress({
    description: 'Only the client with this email address',
    example: 'office@acme.example',
    required: false,
  })
  email?: string;

  @IsOneOf(SORTS, {
    description: 'Sort field. `name` ignores case and accents.',
    enumName: 'ClientSort',
    default: 'createdAt',
    required: false,
  })
  sort: (typeof SORTS)[number] = 'createdAt';

  @IsSortOrder('Sort order; by default `asc` for `name` and `desc` for `createdAt`')
  order?: SortOrder;

  @IsFlag({
    description: 'Set to true to also get the `licensesCount` of each client',
    example: true,
  })
  licensesCount?: boolean;
}
