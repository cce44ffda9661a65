import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Equals, ValidateIf } from 'class-validator';

/** A field that is either absent or true. */
export const OnlyTrue = (description: string) =>
  applyDecorators(
    ApiPropertyOptional({
      description: `${description}. No other value is accepted`,
      type: Boolean,
      example: true,
    }),
    ValidateIf((_body: object, value: unknown) => value !== undefined),
    Equals(true, { message: '$property must be true, or absent' }),
  );
