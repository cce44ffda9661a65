import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { ApiNullableText } from '../../shared/fields/response.decorators.js';
import { LABEL_PATTERN, PRODUCT_PATTERN } from '../product.js';

const EXAMPLE = 'com.example.web-shop';
const CHARACTERS =
  '1 to 64 letters, digits, dots, underscores and hyphens, with a letter or digit at both ends';

const Names = (pattern: RegExp, message: string, documented: ApiPropertyOptions) =>
  applyDecorators(
    ApiProperty({
      type: String,
      pattern: pattern.source,
      maxLength: 64,
      example: EXAMPLE,
      ...documented,
    }),
    ValidateBy(
      {
        name: 'isProduct',
        validator: { validate: (value) => typeof value === 'string' && pattern.test(value) },
      },
      { message: `$property must be ${message}` },
    ),
  );

export const IsProductLabel = (description: string, { nullable = false } = {}) =>
  Names(LABEL_PATTERN, `${CHARACTERS}, and not 24 hexadecimal characters`, {
    ...{ description, nullable, required: false },
  });

/** Accepts what shipped software names as its product: a label or a project's id. */
export const IsProduct = (description: string, { required = false } = {}) =>
  Names(PRODUCT_PATTERN, CHARACTERS, { description, nullable: !required, required });

export const ApiProduct = () =>
  ApiNullableText("The product's label, which the projects of many clients may share", EXAMPLE);
