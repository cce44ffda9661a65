import { ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsIn, IsOptional } from 'class-validator';
import { validationError } from '../../shared/errors/validation-error.js';
import { IsObjectId, IsText, IsTimestamp } from '../../shared/fields/request.decorators.js';
import { PageQuery } from '../../shared/pagination/page.query.js';
import { EVENT_TYPES } from '../event.js';
import { EXAMPLE_ID } from '../../shared/fields/response.decorators.js';

const KINDS = [...new Set(EVENT_TYPES.map((type) => `${type.split('.')[0]!}.*`))];
/** Event types, including wildcards such as `license.*`. */
export const TYPE_PATTERNS: readonly string[] = [...EVENT_TYPES, ...KINDS];

/** Filters the events of an account. */
export class EventFilterQuery {
  @ApiPropertyOptional({
    description:
      'Only events of this type, or of a whole kind such as `license.*`. Can be repeated.',
    isArray: true,
    enum: TYPE_PATTERNS,
  })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => [value].flat())
  @ArrayMaxSize(TYPE_PATTERNS.length)
  @IsIn(TYPE_PATTERNS, { each: true })
  type?: string[];

  @IsObjectId('Only events about this record', { required: false })
  subject?: string;

  @IsText(1, 64, {
    description:
      'Only events caused by this login, API key or machine. Cannot be combined with `subject`.',
    example: EXAMPLE_ID,
    required: false,
  })
  actor?: string;

  @IsTimestamp('Only events at or after this time', '2026-01-31T00:00:00.000Z')
  since?: Date;

  @IsTimestamp('Only events before this time', '2026-01-31T00:00:00.000Z')
  until?: Date;
}

export class EventListQuery extends IntersectionType(PageQuery, EventFilterQuery) {}

/** @throws DomainError VALIDATION_ERROR if both `subject` and `actor` are set */
export function requireOne({ subject, actor }: EventFilterQuery): void {
  if (subject !== undefined && actor !== undefined) {
    throw validationError({ actor: ['actor cannot be combined with subject'] });
  }
}
