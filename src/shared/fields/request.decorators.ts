import 'reflect-metadata';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsDate, isEmail, IsOptional, Matches, MaxLength, ValidateBy } from 'class-validator';
import type { ErrorCode } from '../errors/error-codes.js';
import type { RejectionContext } from '../errors/validation-error.js';
import { EXAMPLE_ID } from './response.decorators.js';
import { OBJECT_ID_PATTERN } from '../ids.js';

const TRANSFORMS = Symbol('text transforms');

/** @param body transforms the field's value */
export type TextTransform = (text: string, body: object) => unknown;

/** Transforms a string before validation. Constraints reject values of other types. */
export const TransformText =
  (transform: TextTransform): PropertyDecorator =>
  (target, property) => {
    Transform(({ value, obj }: { value: unknown; obj: object }) =>
      transformed(value, transform, obj),
    )(target, property);
    const others = textTransformsOf(target, property);
    Reflect.defineMetadata(TRANSFORMS, [...others, transform], target, property);
  };

/** The transforms of a property, in order. */
export const textTransformsOf = (target: object, property: string | symbol): TextTransform[] =>
  (Reflect.getMetadata(TRANSFORMS, target, property) ?? []) as TextTransform[];

export const transformed = (value: unknown, transform: TextTransform, body: object): unknown =>
  typeof value === 'string' ? transform(value, body) : value;

/** Documents a field. One that is not required can be absent or null. */
export const Field = (docs: ApiPropertyOptions) =>
  applyDecorators(ApiProperty(docs), ...(docs.required === false ? [IsOptional()] : []));

/**
 * The form in which a text is stored and compared: trimmed and in NFC, because equal texts can have several
 * Unicode forms.
 */
const normalText = (text: string): string => text.trim().normalize('NFC');

/**
 * A string of `least` to `most` characters in its normal form, without control characters.
 *
 * @param docs how it is documented, except its limits
 */
export const IsText = (least: number, most: number, docs?: ApiPropertyOptions) =>
  IsTextAs(normalText, least, most, docs);

/** The same in another form. */
export const IsTextAs = (
  normalForm: TextTransform,
  least: number,
  most: number,
  docs: ApiPropertyOptions = {},
) =>
  applyDecorators(
    Field({ type: String, minLength: least, maxLength: most, ...docs }),
    TransformText(normalForm),
    ValidateBy(
      { name: 'isTextLength', validator: { validate: (value) => hasLength(value, least, most) } },
      { message: `$property must be ${least} to ${most} characters long` },
    ),
    ValidateBy(
      { name: 'isPlainText', validator: { validate: isPlainText } },
      { message: '$property must be a string without control characters' },
    ),
  );

/** Counts Unicode code points; class-validator's Length does not count variation selectors. */
function hasLength(value: unknown, least: number, most: number): boolean {
  if (typeof value !== 'string') return false;
  const { length } = /[\uD800-\uDBFF]/.test(value) ? [...value] : value;
  return length >= least && length <= most;
}

/**
 * Whether a value is a string without control characters, lone surrogates and noncharacters. A lone
 * surrogate has no UTF-8 form, so each engine would store a different text.
 */
export function isPlainText(value: unknown): boolean {
  return typeof value === 'string' && !/\p{Cc}|\p{Cs}|\p{Noncharacter_Code_Point}/u.test(value);
}

/** Neither invisible nor blank, unlike the Braille pattern without dots. */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/u;
const REORDERS = /[\u202a-\u202e\u2066-\u2069]/;

/**
 * A name of up to `most` characters. It can contain invisible characters such as joiners, but none that
 * reorder the text around it.
 */
export const IsName = (most: number, docs?: ApiPropertyOptions) =>
  applyDecorators(
    IsText(1, most, docs),
    ValidateBy(
      {
        name: 'hasVisible',
        validator: { validate: (value) => typeof value !== 'string' || VISIBLE.test(value) },
      },
      { message: '$property must have a visible character' },
    ),
    ValidateBy(
      {
        name: 'keepsDirection',
        validator: { validate: (value) => typeof value !== 'string' || !REORDERS.test(value) },
      },
      { message: '$property must have no characters that change the direction of text' },
    ),
  );

/** A text of up to `most` characters, possibly with several lines, each ending with a line feed. */
export const IsLines = (most: number, docs: ApiPropertyOptions) =>
  applyDecorators(
    Field({ type: String, minLength: 1, maxLength: most, ...docs }),
    TransformText((text) => normalText(text.replace(/\r\n?/g, '\n'))),
    ValidateBy(
      { name: 'isTextLength', validator: { validate: (value) => hasLength(value, 1, most) } },
      { message: `$property must be 1 to ${most} characters long` },
    ),
    ValidateBy(
      {
        name: 'isPlainText',
        validator: {
          validate: (value) =>
            typeof value === 'string' && isPlainText(value.replace(/[\n\t]/g, '')),
        },
      },
      {
        message:
          '$property must be a string without control characters except line breaks and tabs',
      },
    ),
  );

const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * Accepts printable ASCII without leading or trailing spaces.
 *
 * @param appliesTo whether a body is checked
 */
export const IsPrintable = (appliesTo: (body: object) => boolean = () => true) =>
  ValidateBy(
    {
      name: 'isPrintable',
      validator: {
        validate: (value, args) =>
          !appliesTo(args!.object) || (typeof value === 'string' && PRINTABLE.test(value)),
      },
    },
    { message: '$property must be printable ASCII without leading or trailing spaces' },
  );

/** The stored form of an email address: trimmed, lower case, NFC. */
export const normalEmail = (email: string): string => normalText(email).toLowerCase();

const isVisible = (value: unknown) =>
  typeof value !== 'string' || !/\p{Cf}|\p{Zl}|\p{Zp}/u.test(value);

/** Rejects format characters and line separators, because texts that differ only in these look the same. */
export const IsVisible = () =>
  ValidateBy(
    { name: 'isVisible', validator: { validate: isVisible } },
    { message: '$property must not contain invisible characters' },
  );

/** An email address of at most 254 characters (RFC 5321), normalized. */
export const IsEmailAddress = (docs: ApiPropertyOptions = {}) =>
  applyDecorators(
    Field({
      ...{ type: String, format: 'email', maxLength: 254, example: 'ada@studio.example' },
      ...docs,
    }),
    TransformText(normalEmail),
    ValidateBy(
      {
        name: 'isEmail',
        // isEmail throws on a lone surrogate, and accepts control characters between quotes.
        validator: { validate: (value) => isPlainText(value) && isEmail(value) },
      },
      { message: '$property must be an email address' },
    ),
    IsVisible(),
    MaxLength(254),
  );

/** Rejects a missing value with its own error code. */
export const Required = (rejection: ErrorCode): PropertyDecorator =>
  ValidateBy(
    { name: 'required', validator: { validate: (value) => !isMissing(value) } },
    { message: '$property is required', context: { rejection } satisfies RejectionContext },
  );

/** Whether a value is absent, null, an empty array, or a string that is empty after trimming. */
export function isMissing(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/**
 * An object id in a request: 24 hex digits, converted to lower case; if optional, also null.
 *
 * @param nullable whether null is documented
 */
export const IsObjectId = (description: string, { required = true, nullable = false } = {}) =>
  applyDecorators(
    ApiProperty({
      description,
      required,
      pattern: '^[0-9a-fA-F]{24}$',
      example: EXAMPLE_ID,
      ...(nullable && { type: String, nullable }),
    }),
    ...(required ? [] : [IsOptional()]),
    TransformText((text) => text.toLowerCase()),
    Matches(OBJECT_ID_PATTERN, {
      message: '$property must be an object id of 24 hexadecimal characters',
    }),
  );

export class IdParam {
  @IsObjectId('Object id of the record')
  id!: string;
}

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

const SENT_FIELDS = new Set<string>();
const SENT = new WeakMap<object, Readonly<Record<string, unknown>>>();

/**
 * A field of a body that is read exactly as sent. In metadata, any name is data. But the library drops some
 * names in objects it transforms, and uses a member named `constructor` as a class.
 */
export const AsSent = (): PropertyDecorator => (target, field) => {
  SENT_FIELDS.add(field as string);
  const sentValue = ({ obj, key }: { obj: object; key: string }) => SENT.get(obj)?.[key];
  Transform(sentValue)(target, field);
};

/** A copy of a body for the library, in which these fields are null until {@link AsSent} reads them. */
export function withoutSentFields(body: object): object {
  const fields = Object.entries(body);
  const copy = Object.fromEntries(
    fields.map(([name, value]) => [name, SENT_FIELDS.has(name) ? null : (value as unknown)]),
  );
  SENT.set(copy, body as Readonly<Record<string, unknown>>);
  return copy;
}

/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields that are not null, and the named fields, in which null is a value. */
export const withoutNulls = (fields: Fields, ...kept: string[]): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== null || kept.includes(name)),
  );
