import { ApiProperty, IntersectionType, PickType } from '@nestjs/swagger';
import { WithMessage } from '../../shared/fields/response.decorators.js';
import { ApiKeyDto } from '../api-keys/dto/api-key.dto.js';
import { LoginDto, RegisterDto } from './credentials.dto.js';
import { IsToken } from '../../shared/fields/value.decorators.js';

export class RequestPasswordResetDto extends PickType(LoginDto, ['email']) {}

export class LinkDto {
  @IsToken('The text after # in the link')
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
  @ApiProperty({
    description: 'The address, in lower case',
    ...{ example: 'ada@studio.example', format: 'email', maxLength: 254 },
  })
  email!: string;
}
