import { ApiProperty } from '@nestjs/swagger';
import { ApiObjectId, ApiTimestamp } from '../../shared/fields/response.decorators.js';
import type { User } from '../accounts/user.js';

/** An account as its owner sees it. */
export class UserDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiProperty({ description: 'What to call its owner', example: 'Ada Lovelace' })
  name!: string;

  @ApiProperty({ description: 'In lower case', example: 'ada@studio.example' })
  email!: string;

  @ApiTimestamp('When it was created')
  createdAt!: Date;

  @ApiTimestamp('When it was last changed')
  updatedAt!: Date;
}

export function toUserDto({ _id, name, email, createdAt, updatedAt }: User): UserDto {
  return { _id, name, email, createdAt, updatedAt };
}
