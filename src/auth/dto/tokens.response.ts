import { ApiProperty } from '@nestjs/swagger';
import {
  ApiInteger,
  ApiObjectId,
  ApiTimestamp,
  toDto,
} from '../../shared/fields/response.decorators.js';
import { ACCESS_TOKEN_SECONDS } from '../access/access-tokens.js';
import { type Role, ROLES } from '../access/operations.js';
import type { User } from '../accounts/user.js';

export class RegistrationResponse {
  @ApiProperty({ description: 'True if POST /auth/register creates accounts', example: true })
  open!: boolean;

  @ApiProperty({
    description: 'True if registration is open and no account exists yet',
    example: false,
  })
  firstAccount!: boolean;

  @ApiProperty({
    description: 'True if members can log in with a passkey',
    example: true,
  })
  passkeys!: boolean;

  @ApiProperty({ description: 'True if POST /auth/password-reset mails links', example: true })
  passwordReset!: boolean;
}

/** A member of an account, as shown to that member. */
export class UserDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiProperty({ description: "The member's name", example: 'Ada Lovelace' })
  name!: string;

  @ApiProperty({ description: 'In lower case', example: 'ada@studio.example' })
  email!: string;

  @ApiProperty({
    description: 'What the member is allowed to do',
    enum: ROLES,
    enumName: 'Role',
    example: 'owner',
  })
  role!: Role;

  @ApiObjectId('The account that owns the records')
  account!: string;

  @ApiTimestamp('Time of creation')
  createdAt!: Date;

  @ApiTimestamp('Time of the last change')
  updatedAt!: Date;
}

export const toUserDto: (user: User) => UserDto = toDto(UserDto);

/** The signed-in member, with the name of the account. */
export class CurrentUserDto extends UserDto {
  @ApiProperty({ description: "The owner's name", example: 'Ada Lovelace' })
  accountName!: string;
}

/** An access token, without the session's refresh token. */
export class AccessTokenResponse {
  @ApiProperty({ description: 'What happened', example: 'Tokens refreshed' })
  message!: string;

  @ApiProperty({
    description: 'JWT to send in the `Authorization: Bearer` header',
    example: 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl',
  })
  accessToken!: string;

  @ApiProperty({ type: String, description: 'Always `Bearer`', example: 'Bearer' })
  tokenType!: 'Bearer';

  @ApiInteger('Seconds until the access token expires', { example: ACCESS_TOKEN_SECONDS })
  expiresIn!: number;
}

export class TokenPairResponse extends AccessTokenResponse {
  @ApiProperty({
    description:
      'Exchange it for new tokens at POST /auth/refresh. It works once and expires after 30 days, or 90 days after login if that is sooner.',
    example: 'kZ0vKX3Yb0m4o6T2Qw8nHcq5sJr1uLd9eAfGgBhViPxE',
  })
  refreshToken!: string;
}

export class UserWithTokensResponse extends TokenPairResponse {
  @ApiProperty({ description: 'What happened', example: 'Logged in' })
  override message!: string;

  @ApiProperty({ description: 'The logged-in member', type: UserDto })
  user!: UserDto;
}
