import type { Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { IsCount } from '../fields/count.decorator.js';
import { validationError } from '../errors/validation-error.js';
import { fromCursor, toCursor } from './cursor.js';
import type { Page, PageRequest } from './page.js';

const EXAMPLE_CURSOR = 'Y2xpZW50cy4xNzY5ODU0NTAwMDAwLjY2NWYxYzJhYjdlNGE5MDAxMjM0NTY3OA';

export class PageQuery {
  @IsCount('Most records of a page', 100, 20)
  limit = 20;

  @ApiPropertyOptional({
    description: '`nextCursor` of the page before; absent for the first page',
    example: EXAMPLE_CURSOR,
  })
  @IsOptional()
  @IsString()
  cursor?: string;
}

/**
 * @param list name of the list and its order: cursors of other lists are rejected
 * @throws DomainError VALIDATION_ERROR
 */
export function toPageRequest({ limit, cursor }: PageQuery, list: string): PageRequest {
  if (cursor === undefined) return { limit, after: undefined };
  const after = fromCursor(list, cursor);
  if (!after) {
    throw validationError({ cursor: ['cursor must be the nextCursor of an earlier page'] });
  }
  return { limit, after };
}

export const NextCursor = () =>
  ApiProperty({
    description: '`cursor` of the next page; null on the last page',
    type: String,
    nullable: true,
    example: EXAMPLE_CURSOR,
  });

/** The base class for the response of a list: `{ data, nextCursor }`. */
export function ListOf<Dto>(type: Type<Dto>) {
  class ListResponse {
    @ApiProperty({ type: [type] })
    data!: Dto[];

    @NextCursor()
    nextCursor!: string | null;
  }
  return ListResponse;
}

/** The response of a list: `{ data, nextCursor }`. */
export function toListResponse<T, Dto>(page: Page<T>, list: string, toDto: (record: T) => Dto) {
  return { data: page.data.map(toDto), nextCursor: page.next && toCursor(list, page.next) };
}
