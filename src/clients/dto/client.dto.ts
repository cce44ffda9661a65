import { ApiProperty, PartialType } from '@nestjs/swagger';
import {
  IsEmailAddress,
  IsSearch,
  IsText,
  Required,
} from '../../shared/fields/request.decorators.js';
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
  @IsText(1, 200)
  name!: string;

  @ApiProperty({
    description: 'Unique across clients; stored in lower case',
    example: 'office@acme.example',
    format: 'email',
    maxLength: 254,
  })
  @Required('CLIENT_EMAIL_REQUIRED')
  @IsEmailAddress()
  email!: string;
}

/** Body of PATCH /clients/:id; absent fields are not changed. */
export class UpdateClientDto extends PartialType(CreateClientDto, { skipNullProperties: false }) {}

export class ClientListQuery extends CountedPageQuery {
  @IsSearch('Only clients whose name or e-mail address begins with this, in any case', 'acme')
  search?: string;
}
