import { ApiProperty } from '@nestjs/swagger';

/** Documents a time in a response: ISO 8601, UTC, with milliseconds. */
export const ApiTimestamp = (
  description: string,
  { nullable = false, required = true, example = '2026-01-31T10:15:00.000Z' } = {},
) => ApiProperty({ description, type: String, format: 'date-time', nullable, required, example });
