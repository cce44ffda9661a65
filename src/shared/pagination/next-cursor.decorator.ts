import { ApiProperty } from '@nestjs/swagger';

/** Documents the `nextCursor` of a list's answer. */
export const NextCursor = () =>
  ApiProperty({
    description: '`cursor` of the next page; null on the last page',
    type: String,
    nullable: true,
    example: 'Y2xpZW50cy4xNzY5ODU0NTAwMDAwLjY2NWYxYzJhYjdlNGE5MDAxMjM0NTY3OA',
  });
