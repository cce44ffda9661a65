import { ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { IsEmailAddress } from '../../shared/fields/email.decorator.js';
import { RejectUnknownFields } from '../../shared/fields/reject-unknown-fields.decorator.js';
import { Required } from '../../shared/fields/required.decorator.js';
import { IsText } from '../../shared/fields/text.decorator.js';

/** Body of PATCH /clients/:id; absent fields are not changed. */
@RejectUnknownFields()
export class UpdateClientDto {
  @ApiPropertyOptional({
    description: 'Client or company name',
    example: 'Acme Ltd',
    minLength: 1,
    maxLength: 200,
  })
  @ValidateIf((body: UpdateClientDto) => body.name !== undefined)
  @Required('CLIENT_NAME_REQUIRED')
  @IsText(1, 200)
  name?: string;

  @ApiPropertyOptional({
    description: 'Unique across clients; stored in lower case',
    example: 'office@acme.example',
    format: 'email',
    maxLength: 254,
  })
  @ValidateIf((body: UpdateClientDto) => body.email !== undefined)
  @Required('CLIENT_EMAIL_REQUIRED')
  @IsEmailAddress()
  email?: string;
}
