import { ApiProperty } from '@nestjs/swagger';

/** Documents a number of records. */
export const Count = (description: string) =>
  ApiProperty({ description, type: 'integer', format: 'int32', minimum: 0, example: 3 });
