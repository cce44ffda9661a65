import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsText, TransformText } from '../shared/fields/text.decorators.js';
import { searchForm } from '../shared/fields/search-form.js';

/** A prefix to search for, every character literal; converted to its {@link searchForm}. */
export const IsClientSearch = () =>
  applyDecorators(
    ApiPropertyOptional({
      description: 'Only clients whose name or e-mail address begins with this, in any case',
      example: 'acme',
      minLength: 1,
      maxLength: 200,
    }),
    IsOptional(),
    IsText(1, 200),
    TransformText(searchForm),
  );
