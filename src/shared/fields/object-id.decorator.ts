import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { OBJECT_ID_PATTERN } from '../ids/object-id.js';
import { EXAMPLE_ID } from '../../openapi/decorators/api-fields.decorators.js';
import { TransformText } from './transform-text.decorator.js';

/** An object id in a request: 24 hexadecimal characters, converted to lower case. */
export const IsObjectId = (description: string, { required = true } = {}) =>
  applyDecorators(
    ApiProperty({ description, required, pattern: '^[0-9a-fA-F]{24}$', example: EXAMPLE_ID }),
    TransformText((text) => text.toLowerCase()),
    Matches(OBJECT_ID_PATTERN, {
      message: '$property must be an object id of 24 hexadecimal characters',
    }),
  );

/** The path parameter `:id`. */
export class IdParams {
  @IsObjectId('Object id of the record')
  id!: string;
}
