import { ApiProperty, PickType } from '@nestjs/swagger';
import { IsNotEmpty, IsString, ValidateBy } from 'class-validator';
import { IsEmailAddress, IsName } from '../../shared/fields/request.decorators.js';
import { IsCurrentPassword, IsNewPassword } from '../passwords/password.decorators.js';
import { PASSWORD_MAX, PASSWORD_MIN, passwordForm } from '../passwords/password-policy.js';

const NEW_PASSWORD = {
  example: 'seven quiet lanterns drift',
  format: 'password',
  minLength: PASSWORD_MIN,
  maxLength: PASSWORD_MAX,
};
export const EMAIL = { example: 'ada@studio.example', format: 'email', maxLength: 254 };

export class RegisterDto {
  @ApiProperty({
    description: 'What to call you',
    example: 'Ada Lovelace',
    minLength: 1,
    maxLength: 200,
  })
  @IsName(200)
  name!: string;

  @ApiProperty({ description: 'Unique across accounts; stored in lower case', ...EMAIL })
  @IsEmailAddress()
  email!: string;

  @ApiProperty({
    ...NEW_PASSWORD,
    description: 'Taken as it is, spaces included; common passwords are rejected',
  })
  @IsNewPassword()
  password!: string;
}

export class AcceptInvitationDto extends PickType(RegisterDto, ['name', 'password']) {
  @ApiProperty({
    description: 'The text of the invitation, as POST /members has shown it',
    minLength: 1,
    example: 'kZ0vKX3Yb0m4o6T2Qw8nHc5sJr1uLd9eAfGgBhViPxE',
  })
  @IsString()
  @IsNotEmpty()
  invitation!: string;
}

export class LoginDto {
  @ApiProperty({ description: 'Compared without regard to case', ...EMAIL })
  @IsEmailAddress()
  email!: string;

  @IsCurrentPassword()
  password!: string;
}

export class RefreshDto {
  @ApiProperty({
    description: 'The latest refresh token of the session',
    example: 'kZ0vKX3Yb0m4o6T2Qw8nHcq5sJr1uLd9eAfGgBhViPxE',
    minLength: 1,
  })
  @IsString()
  @IsNotEmpty()
  refreshToken!: string;
}

export class ChangePasswordDto {
  @IsCurrentPassword()
  currentPassword!: string;

  @ApiProperty({
    ...NEW_PASSWORD,
    description:
      'Taken as it is, spaces included; common passwords, and the current one, are rejected',
    example: 'nine loud kettles whistle',
  })
  @IsNewPassword()
  @ValidateBy(
    { name: 'isAnotherPassword', validator: { validate: isAnother } },
    { message: '$property must not be the current password' },
  )
  newPassword!: string;
}

function isAnother(value: unknown, args?: { readonly object: object }): boolean {
  const { currentPassword } = (args?.object ?? {}) as { currentPassword?: unknown };
  if (typeof value !== 'string' || typeof currentPassword !== 'string') return true;
  return passwordForm(value) !== passwordForm(currentPassword);
}
