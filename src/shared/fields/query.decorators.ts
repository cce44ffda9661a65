import { applyDecorators } from '@nestjs/common';
import { type ApiPropertyOptions, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { ApiInteger } from './response.decorators.js';
import { IsText, TransformText } from './request.decorators.js';
import { searchForm } from './search-form.js';

/** An optional query parameter: an integer from 1 to a maximum. */
export const IsCount = (description: string, maximum: number, fallback: number) =>
  applyDecorators(
    ApiInteger(description, { minimum: 1, maximum, default: fallback, required: false }),
    IsOptional(),
    // Number() alone would also accept 1e1, 0x10 and an empty text.
    TransformText((text) => (/^\d+$/.test(text) ? Number(text) : text)),
    IsInt(),
    Min(1),
    Max(maximum),
  );

const ORDERS = ['asc', 'desc'] as const;
export type SortOrder = (typeof ORDERS)[number];

/** The order of a list. @param fallback undefined if it depends on what the list is sorted by */
export const IsSortOrder = (description: string, fallback?: SortOrder) =>
  applyDecorators(
    ApiPropertyOptional({
      description,
      enum: ORDERS,
      enumName: 'SortOrder',
      ...(fallback && { default: fallback }),
    }),
    IsOptional(),
    IsIn(ORDERS),
  );

/** An optional query parameter that is `true` or `false`. */
export const IsFlag = (docs: ApiPropertyOptions) =>
  applyDecorators(
    ApiPropertyOptional({ type: Boolean, ...docs }),
    IsOptional(),
    TransformText((text) => (text === 'true' ? true : text === 'false' ? false : text)),
    IsBoolean(),
  );

/** An optional search text, every character literal; converted to its {@link searchForm}. */
export const IsSearch = (description: string, example: string, most = 200) =>
  applyDecorators(
    IsText(1, most, { description, example, required: false }),
    TransformText(searchForm),
  );
