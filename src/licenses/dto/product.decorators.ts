import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { ApiNullableText } from '../../shared/fields/response.decorators.js';

/**
 * A product's label: 1 to 64 of `A-Z a-z 0-9 . _ -`, alphanumeric at both ends. 24 hexadecimal characters are not a label,
 * because they would look like a project's id. Without flags, because patterns in OpenAPI have none.
 */
export const LABEL_PATTERN = /^(?![0-9A-Fa-f]{24}$)[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;

/** The product as shipped software sends it: a label, or a project's id. */
export const PRODUCT_PATTERN = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;

const EXAMPLE = 'com.example.web-shop';
const CHARACTERS =
  '1 to 64 letters, digits, dots, underscores and hyphens, starting and ending with a letter or digit';

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
  Names(LABEL_PATTERN, `${CHARACTERS}, but not 24 hexadecimal characters`, {
    ...{ description, nullable, required: false },
  });

/** Accepts the product as shipped software sends it: a label or a project's id. */
export const IsProduct = (description: string, { required = false } = {}) =>
  Names(PRODUCT_PATTERN, CHARACTERS, { description, nullable: !required, required });

export const ApiProduct = () =>
  ApiNullableText('Product label. Projects of different clients can share one.', EXAMPLE);
