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
  @ApiProperty({ description: 'Whether POST /auth/register creates accounts', example: true })
  open!: boolean;
}

/** A member of an account, as the member sees it. */
export class UserDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiProperty({ description: 'What to call the member', example: 'Ada Lovelace' })
  name!: string;

  @ApiProperty({ description: 'In lower case', example: 'ada@studio.example' })
  email!: string;

  @ApiProperty({
    description: 'What the member may do',
    enum: ROLES,
    enumName: 'Role',
    example: 'owner',
  })
  role!: Role;

  @ApiObjectId('The account, to which the records belong')
  account!: string;

  @ApiTimestamp('When it was created')
  createdAt!: Date;

  @ApiTimestamp('When it was last changed')
  updatedAt!: Date;
}

export const toUserDto: (user: User) => UserDto = toDto(UserDto);

/** The member of a session, with the name of the account. */
export class CurrentUserDto extends UserDto {
  @ApiProperty({ description: "The owner's name", example: 'Ada Lovelace' })
  accountName!: string;
}

/** An access token, without the refresh token of its session. */
export class AccessTokenResponse {
  @ApiProperty({ description: 'What has happened', example: 'Tokens refreshed successfully' })
  message!: string;

  @ApiProperty({
    description: 'JWT for the header `Authorization: Bearer`',
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
      'Buys the next pair at POST /auth/refresh, once, within 30 days and 90 days of the login',
    example: 'kZ0vKX3Yb0m4o6T2Qw8nHcq5sJr1uLd9eAfGgBhViPxE',
  })
  refreshToken!: string;
}

export class UserWithTokensResponse extends TokenPairResponse {
  @ApiProperty({ description: 'What has happened', example: 'Logged in successfully' })
  override message!: string;

  @ApiProperty({ description: 'The account', type: UserDto })
  user!: UserDto;
}
