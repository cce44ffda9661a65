import { ApiProperty } from '@nestjs/swagger';
import { IsEmailAddress } from '../../shared/fields/email.decorator.js';
import { Required } from '../../shared/fields/required.decorator.js';
import { IsText } from '../../shared/fields/text.decorator.js';

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
