import { ApiProperty } from '@nestjs/swagger';
import { IsEmailAddress } from '../../shared/http/fields/email.decorator.js';
import { Required } from '../../shared/http/fields/required.decorator.js';
import { IsText } from '../../shared/http/fields/text.decorator.js';

/** Body of POST /clients (specification, section 4.1). */
export class CreateClientDto {
  @ApiProperty({ description: 'Client or company name', example: 'Acme Ltd', maxLength: 200 })
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
