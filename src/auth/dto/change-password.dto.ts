import { ApiProperty } from '@nestjs/swagger';
import { Length, ValidateBy, type ValidationArguments } from 'class-validator';
import { PASSWORD_MAX, PASSWORD_MIN, passwordForm } from '../passwords/password-policy.js';
import { IsNewPassword } from '../passwords/new-password.decorator.js';

/** Body of POST /auth/password. */
export class ChangePasswordDto {
  @ApiProperty({
    description: 'Taken as it is, spaces included',
    example: 'seven quiet lanterns drift',
    format: 'password',
    minLength: 1,
    maxLength: PASSWORD_MAX,
  })
  @Length(1, PASSWORD_MAX)
  currentPassword!: string;

  @ApiProperty({
    description:
      'Taken as it is, spaces included; common passwords, and the current one, are refused',
    example: 'nine loud kettles whistle',
    format: 'password',
    minLength: PASSWORD_MIN,
    maxLength: PASSWORD_MAX,
  })
  @IsNewPassword()
  @ValidateBy(
    { name: 'isAnotherPassword', validator: { validate: isAnother } },
    { message: '$property must not be the current password' },
  )
  newPassword!: string;
}

function isAnother(value: unknown, args?: ValidationArguments): boolean {
  const { currentPassword } = (args?.object ?? {}) as { currentPassword?: unknown };
  if (typeof value !== 'string' || typeof currentPassword !== 'string') return true;
  return passwordForm(value) !== passwordForm(currentPassword);
}
