import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { OBJECT_ID_PATTERN } from '../ids/object-id.js';
import { EXAMPLE_ID } from './response.decorators.js';
import { TransformText } from './text.decorators.js';

/**
 * An object id in a request: 24 hexadecimal characters, converted to lower case; where it is not required, also null.
 *
 * @param nullable whether null is documented
 */
export const IsObjectId = (description: string, { required = true, nullable = false } = {}) =>
  applyDecorators(
    ApiProperty({
      description,
      required,
      pattern: '^[0-9a-fA-F]{24}$',
      example: EXAMPLE_ID,
      ...(nullable && { type: String, nullable }),
    }),
    ...(required ? [] : [IsOptional()]),
    TransformText((text) => text.toLowerCase()),
    Matches(OBJECT_ID_PATTERN, {
      message: '$property must be an object id of 24 hexadecimal characters',
    }),
  );

export class IdParam {
  @IsObjectId('Object id of the record')
  id!: string;
}
