import { ApiProperty, PartialType, PickType } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { IsEmailAddress, IsName } from '../../shared/fields/request.decorators.js';
import { IsToken } from '../../shared/fields/value.decorators.js';
import { IsCurrentPassword, IsNewPassword } from '../passwords/password.decorators.js';
import { PASSWORD_MAX, PASSWORD_MIN, normalizePassword } from '../passwords/password-policy.js';

const NEW_PASSWORD = {
  example: 'seven quiet lanterns drift',
  format: 'password',
  minLength: PASSWORD_MIN,
  maxLength: PASSWORD_MAX,
};

export class RegisterDto {
  @IsName(200, { description: 'Your name', example: 'Ada Lovelace' })
  name!: string;

  @IsEmailAddress({ description: 'Unique across all accounts; stored in lower case' })
  email!: string;

  @ApiProperty({
    ...NEW_PASSWORD,
    description: 'Used exactly as sent, including spaces. Common passwords are rejected.',
  })
  @IsNewPassword()
  password!: string;
}

export class AcceptInvitationDto extends PickType(RegisterDto, ['name', 'password']) {
  @IsToken('The `invitation` from the response of POST /members')
  invitation!: string;
}

export class LoginDto {
  @IsEmailAddress({ description: 'Case-insensitive' })
  email!: string;

  @IsCurrentPassword()
  password!: string;
}

export class RefreshDto {
  @IsToken("The session's latest refresh token", 'kZ0vKX3Yb0m4o6T2Qw8nHcq5sJr1uLd9eAfGgBhViPxE')
  refreshToken!: string;
}

/** Without a token, the cookie has it. */
export class RefreshConsoleSessionDto extends PartialType(RefreshDto) {}

export class ChangePasswordDto {
  @IsCurrentPassword()
  currentPassword!: string;

  @ApiProperty({
    ...NEW_PASSWORD,
    description:
      'Used exactly as sent, including spaces. Common passwords and the current password are rejected.',
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
  return normalizePassword(value) !== normalizePassword(currentPassword);
}
