import { ApiProperty } from '@nestjs/swagger';
import { IsEmailAddress } from '../../shared/fields/email.decorator.js';
import { IsText } from '../../shared/fields/text.decorator.js';
import { PASSWORD_MAX, PASSWORD_MIN } from '../passwords/password-policy.js';
import { IsNewPassword } from '../passwords/new-password.decorator.js';

/** Body of POST /auth/register. */
export class RegisterDto {
  @ApiProperty({
    description: 'What to call its owner',
    example: 'Ada Lovelace',
    minLength: 1,
    maxLength: 200,
  })
  @IsText(1, 200)
  name!: string;

  @ApiProperty({
    description: 'Unique across accounts; stored in lower case',
    example: 'ada@studio.example',
    format: 'email',
    maxLength: 254,
  })
  @IsEmailAddress()
  email!: string;

  @ApiProperty({
    description: 'Taken as it is, spaces included; common passwords are refused',
    example: 'seven quiet lanterns drift',
    format: 'password',
    minLength: PASSWORD_MIN,
    maxLength: PASSWORD_MAX,
  })
  @IsNewPassword()
  password!: string;
}
