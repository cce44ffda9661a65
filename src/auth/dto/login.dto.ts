import { ApiProperty } from '@nestjs/swagger';
import { Length } from 'class-validator';
import { IsEmailAddress } from '../../shared/fields/email.decorator.js';
import { PASSWORD_MAX } from '../passwords/password-policy.js';

/** Body of POST /auth/login. */
export class LoginDto {
  @ApiProperty({
    description: 'Compared without regard to case',
    example: 'ada@studio.example',
    format: 'email',
    maxLength: 254,
  })
  @IsEmailAddress()
  email!: string;

  @ApiProperty({
    description: 'Taken as it is, spaces included',
    example: 'seven quiet lanterns drift',
    format: 'password',
    minLength: 1,
    maxLength: PASSWORD_MAX,
  })
  @Length(1, PASSWORD_MAX)
  password!: string;
}
