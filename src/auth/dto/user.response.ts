import { ApiProperty } from '@nestjs/swagger';
import { ApiObjectId, ApiTimestamp, toDto } from '../../shared/fields/response.decorators.js';
import { type Role, ROLES } from '../access/roles.js';
import type { User } from '../accounts/user.js';

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
