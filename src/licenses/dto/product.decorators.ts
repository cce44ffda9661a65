import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { ApiNullableText } from '../../shared/fields/response.decorators.js';
import { LABEL_PATTERN, PRODUCT_PATTERN } from '../product.js';

const EXAMPLE = 'com.example.web-shop';
const CHARACTERS =
  '1 to 64 letters, digits, dots, underscores and hyphens, with a letter or digit at both ends';

export const IsProductLabel = (description: string, { nullable = false } = {}) =>
  applyDecorators(
    ApiProperty({
      description,
      type: String,
      nullable,
      required: false,
      // OpenAPI's patterns have no flags.
      pattern: '^(?![0-9A-Fa-f]{24}$)[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$',
      maxLength: 64,
      example: EXAMPLE,
    }),
    matches(LABEL_PATTERN, `$property must be ${CHARACTERS}, and not 24 hexadecimal characters`),
  );

/** Accepts what shipped software names as its product: a label or a project's id. */
export const IsProduct = (description: string, { required = false } = {}) =>
  applyDecorators(
    ApiProperty({
      description,
      type: String,
      nullable: !required,
      required,
      pattern: '^[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$',
      maxLength: 64,
      example: EXAMPLE,
    }),
    matches(PRODUCT_PATTERN, `$property must be ${CHARACTERS}`),
  );

export const ApiProduct = () =>
  ApiNullableText("The product's label, which the projects of many clients may share", EXAMPLE);

const matches = (pattern: RegExp, message: string) =>
  ValidateBy(
    {
      name: 'isProduct',
      validator: { validate: (value) => typeof value === 'string' && pattern.test(value) },
    },
    { message },
  );
