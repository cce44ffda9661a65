import { applyDecorators } from '@nestjs/common';
import { type ApiPropertyOptions, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMinSize,
  ArrayUnique,
  Equals,
  IsArray,
  IsIn,
  IsNotEmpty,
  IsString,
  Matches,
  ValidateIf,
} from 'class-validator';
import { Field } from './request.decorators.js';
import { EXAMPLE_TOKEN } from './response.decorators.js';

/** A text that matches a pattern. */
export const IsLike = (pattern: RegExp, form: string, docs: ApiPropertyOptions) =>
  applyDecorators(
    Field({ type: String, pattern: pattern.source, ...docs }),
    Matches(pattern, { message: `$property must be ${form}` }),
  );

/** One of these values. */
export const IsOneOf = (values: readonly string[], docs: ApiPropertyOptions) =>
  applyDecorators(Field({ enum: [...values], ...docs }), IsIn(values));

/** A list of these values, at least one, without duplicates. */
export const AreSomeOf = (values: readonly string[], docs: ApiPropertyOptions) =>
  applyDecorators(
    Field({
      ...{ enum: [...values], isArray: true, minItems: 1, maxItems: values.length },
      ...docs,
    }),
    IsIn(values, { each: true }),
    ArrayUnique({ message: '$property must not contain duplicates' }),
    ArrayMinSize(1),
    IsArray(),
  );

/** A token as the service issued it. */
export const IsToken = (description: string, example = EXAMPLE_TOKEN) =>
  applyDecorators(
    Field({ description, type: String, minLength: 1, example }),
    IsNotEmpty(),
    IsString(),
  );

/** A field that is either absent or true. */
export const OnlyTrue = (description: string) =>
  applyDecorators(
    ApiPropertyOptional({
      description: `${description}. Must be true if present.`,
      type: Boolean,
      example: true,
    }),
    ValidateIf((_body: object, value: unknown) => value !== undefined),
    Equals(true, { message: '$property must be true or omitted' }),
  );
