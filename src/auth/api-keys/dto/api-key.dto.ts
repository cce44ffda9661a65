import { ApiProperty } from '@nestjs/swagger';
import { ArrayMinSize, ArrayUnique, IsArray, IsIn } from 'class-validator';
import { IsText } from '../../../shared/fields/text.decorators.js';
import { IsTimestamp } from '../../../shared/fields/timestamp.decorator.js';
import { type Scope, SCOPES } from '../../access/scopes.js';

/** Body of POST /api-keys. */
export class CreateApiKeyDto {
  @ApiProperty({
    description: 'What it is for',
    minLength: 1,
    maxLength: 200,
    example: 'Checkout of the web shop',
  })
  @IsText(1, 200)
  name!: string;

  @ApiProperty({
    description: 'What it may do: `write` does not include `read`',
    enum: SCOPES,
    enumName: 'Scope',
    isArray: true,
    minItems: 1,
    maxItems: SCOPES.length,
    example: ['licenses:read', 'licenses:write'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique({ message: '$property must have no value twice' })
  @IsIn(SCOPES, { each: true })
  scopes!: Scope[];

  @IsTimestamp(
    'A time in the future, from which on it is rejected; null or absent: no end',
    '2027-01-31T10:15:00.000Z',
    { nullable: true },
  )
  expiresAt?: Date | null;
}
