import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsDate, IsOptional } from 'class-validator';
import { TransformText } from './text.decorators.js';

/** RFC 3339, section 5.6: a date, a time and its offset from UTC. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** An optional ISO 8601 timestamp with an offset from UTC, converted to a Date. */
export const IsTimestamp = (description: string, example: string, { nullable = false } = {}) =>
  applyDecorators(
    ApiPropertyOptional({
      description,
      type: String,
      format: 'date-time',
      ...(nullable && { nullable }),
      example,
    }),
    IsOptional(),
    TransformText((text) => (isTimestamp(text) ? new Date(text) : text)),
    IsDate({ message: '$property must be a timestamp like 2026-01-31T10:15:00.000Z' }),
  );

/** Date would parse 31 February as a day in March. */
function isTimestamp(text: string): boolean {
  const day = text.slice(0, 10);
  const read = new Date(`${day}T00:00:00Z`);
  return (
    TIMESTAMP.test(text) && !Number.isNaN(read.getTime()) && read.toISOString().startsWith(day)
  );
}
