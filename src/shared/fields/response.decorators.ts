import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, DECORATORS } from '@nestjs/swagger';

/** The object id in the document's examples. */
export const EXAMPLE_ID = '665f1c2ab7e4a90012345678';

/** The base class of a response with a message for people, such as this one. */
export function WithMessage(example: string) {
  class Message {
    @ApiProperty({ example })
    message!: string;
  }
  return Message;
}

/** Documents an integer of 32 bits. */
export const ApiInteger = (description: string, options: ApiPropertyOptions = {}) =>
  ApiProperty({ description, type: 'integer', format: 'int32', ...options });

/** Documents a text in a response that may be null. */
export const ApiNullableText = (description: string, example: string | null) =>
  ApiProperty({ description, type: String, nullable: true, example });

/** Documents an object id in a response. */
export const ApiObjectId = (description: string, { nullable = false } = {}) =>
  ApiProperty({
    description,
    type: String,
    nullable,
    pattern: '^[0-9a-f]{24}$',
    example: EXAMPLE_ID,
  });

/** Documents a time in a response: ISO 8601, UTC, with milliseconds. */
export const ApiTimestamp = (
  description: string,
  { nullable = false, required = true, example = '2026-01-31T10:15:00.000Z' as string | null } = {},
) => ApiProperty({ description, type: String, format: 'date-time', nullable, required, example });

/** What the responses of stored records have in common. */
export class RecordDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiTimestamp('When it was created')
  createdAt!: Date;

  @ApiTimestamp('When it was last changed')
  updatedAt!: Date;
}

/** Returns a function that makes a response of a record: the fields that the class documents, and no others of the record. */
export function toDto<Dto extends object>(type: Type<Dto>): (record: Readonly<Dto>) => Dto {
  const documented = Reflect.getMetadata(
    DECORATORS.API_MODEL_PROPERTIES_ARRAY,
    type.prototype as object,
  ) as string[];
  // Each name has a colon before it.
  const names = documented.map((name) => name.slice(1)) as (keyof Dto)[];
  return (record) => Object.fromEntries(names.map((name) => [name, record[name]])) as Dto;
}
