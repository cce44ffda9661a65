import { ApiProperty } from '@nestjs/swagger';

/** An object id of the documentation's examples. */
export const EXAMPLE_ID = '665f1c2ab7e4a90012345678';

/** Documents an object id in a response. */
export const ApiObjectId = (description: string, { nullable = false } = {}) =>
  ApiProperty({
    description,
    type: String,
    nullable,
    pattern: '^[0-9a-f]{24}$',
    example: EXAMPLE_ID,
  });
