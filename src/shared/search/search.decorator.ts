import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsText } from '../fields/text.decorator.js';
import { TransformText } from '../fields/transform-text.decorator.js';
import { searchForm } from './search-form.js';

/** A prefix to search for, every character literal; converted to its {@link searchForm}. */
export const IsSearch = (description: string) =>
  applyDecorators(
    ApiPropertyOptional({ description, example: 'acme', minLength: 1, maxLength: 200 }),
    IsOptional(),
    IsText(1, 200),
    TransformText(searchForm),
  );
