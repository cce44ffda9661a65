import { ApiProperty, IntersectionType, PickType } from '@nestjs/swagger';
import { IsNotEmpty, IsString } from 'class-validator';
import { WithMessage } from '../../shared/fields/response.decorators.js';
import { ApiKeyDto } from '../api-keys/dto/api-key.dto.js';
import { EMAIL, LoginDto, RegisterDto } from './credentials.dto.js';

export class RequestPasswordResetDto extends PickType(LoginDto, ['email']) {}

export class LinkDto {
  @ApiProperty({
    description: 'The text after # in the link',
    minLength: 1,
    example: 'kZ0vKX3Yb0m4o6T2Qw8nHc5sJr1uLd9eAfGgBhViPxE',
  })
  @IsString()
  @IsNotEmpty()
  token!: string;
}

export class ConfirmPasswordResetDto extends IntersectionType(
  PickType(RegisterDto, ['password']),
  LinkDto,
) {}

export class ChangeEmailDto extends PickType(LoginDto, ['email']) {}

export class PasswordResetResponse extends WithMessage('Password reset') {
  @ApiProperty({
    description:
      'API keys that this login created. They keep working: delete any that someone else may know.',
    type: [ApiKeyDto],
  })
  apiKeys!: ApiKeyDto[];
}

export class ConfirmedEmailResponse extends WithMessage('Email address confirmed') {
  @ApiProperty({ description: 'The address, in lower case', ...EMAIL })
  email!: string;
}
