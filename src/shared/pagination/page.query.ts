import type { Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { IsCount, IsFlag } from '../fields/query.decorators.js';
import { ApiInteger, ApiNullableText } from '../fields/response.decorators.js';
import { validationError } from '../errors/validation-error.js';
import { OBJECT_ID_PATTERN } from '../ids.js';
import type { Page, PageRequest, Position } from './page.js';

const EXAMPLE_CURSOR = 'Y2xpZW50cy4xNzY5ODU0NTAwMDAwLjY2NWYxYzJhYjdlNGE5MDAxMjM0NTY3OA';

export class PageQuery {
  @IsCount('Maximum number of records per page', 100, 20)
  limit = 20;

  @ApiPropertyOptional({
    description: '`nextCursor` of the previous page. Omit it for the first page.',
    example: EXAMPLE_CURSOR,
  })
  @IsOptional()
  @IsString()
  cursor?: string;
}

/** The query of a list that supports `total`. */
export class CountedPageQuery extends PageQuery {
  @IsFlag({
    description: 'Set to true to also get the `total` number of records that match the filters',
    example: true,
  })
  total?: boolean;
}

/** The records of a list. */
interface Listed {
  /** The pattern of their ids, unless they are object ids. */
  readonly ids?: RegExp;
  /** Whether they are sorted by a text instead of a time. */
  readonly isByText?: boolean;
}

/**
 * Encodes a position as an opaque cursor.
 *
 * @param list name of the list and its order: letters, digits and hyphens
 */
export function toCursor(list: string, { value, _id }: Position): string {
  const text =
    typeof value === 'string' ? Buffer.from(value).toString('base64url') : value.getTime();
  return Buffer.from(`${list}.${text}.${_id}`).toString('base64url');
}

/** Decodes a cursor of this list; undefined for anything not returned by {@link toCursor}. */
export function fromCursor(
  list: string,
  cursor: string,
  { ids = OBJECT_ID_PATTERN, isByText = false }: Listed = {},
): Position | undefined {
  const [, text = '', _id = ''] = Buffer.from(cursor, 'base64url').toString().split('.');
  const value = isByText ? Buffer.from(text, 'base64url').toString() : new Date(Number(text));
  if (Number.isNaN(value.valueOf()) || !ids.test(_id)) return undefined;
  const position = { value, _id };
  // Compared with the exact text, because other texts decode to the same value, and Buffer ignores
  // characters outside base64url.
  return toCursor(list, position) === cursor ? position : undefined;
}

/**
 * @param list name of the list and its order; cursors of other lists are rejected
 * @throws DomainError VALIDATION_ERROR
 */
export function toPageRequest(
  { limit, cursor, total }: CountedPageQuery,
  list: string,
  listed?: Listed,
): PageRequest {
  if (cursor === undefined) return { limit, after: undefined, total };
  const after = fromCursor(list, cursor, listed);
  if (!after) {
    throw validationError({ cursor: ['cursor must be the nextCursor of an earlier page'] });
  }
  return { limit, after, total };
}

export const NextCursor = () =>
  ApiNullableText(
    'Send it as `cursor` to get the next page; null on the last page',
    EXAMPLE_CURSOR,
  );

/** The base class of a list response: `{ data, nextCursor }`. */
export function ListOf<Dto>(type: Type<Dto>) {
  class ListResponse {
    @ApiProperty({ type: [type] })
    data!: Dto[];

    @NextCursor()
    nextCursor!: string | null;
  }
  return ListResponse;
}

/** The base class of a list response that supports `total`. */
export function CountedListOf<Dto>(type: Type<Dto>) {
  class CountedListResponse extends ListOf(type) {
    @ApiInteger('Number of records that match the filters; only if requested', {
      minimum: 0,
      required: false,
      example: 3,
    })
    total?: number;
  }
  return CountedListResponse;
}

/** A list response: `{ data, nextCursor }`, and `total` if requested. */
export function toListResponse<T, Dto>(
  { data, next, total }: Page<T>,
  list: string,
  toDto: (record: T) => Dto,
) {
  return {
    data: data.map(toDto),
    nextCursor: next && toCursor(list, next),
    ...(total !== undefined && { total }),
  };
}
