import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, DECORATORS } from '@nestjs/swagger';

/** The object id in the document's examples. */
export const EXAMPLE_ID = '665f1c2ab7e4a90012345678';
export const EXAMPLE_TOKEN = 'kZ0vKX3Yb0m4o6T2Qw8nHc5sJr1uLd9eAfGgBhViPxE';

/**
 * The base class of a response with a human-readable message, such as this one.
 *
 * @param fields the records it contains, by field
 */
export function WithMessage<Dtos extends Readonly<Record<string, Type>> = Record<never, never>>(
  example: string,
  fields = {} as Dtos,
) {
  class Message {
    @ApiProperty({ example })
    message!: string;
  }
  for (const [name, type] of Object.entries(fields)) ApiProperty({ type })(Message.prototype, name);
  return Message as Type<Message & { [Name in keyof Dtos]: InstanceType<Dtos[Name]> }>;
}

export class QueuedMail extends WithMessage('Mail queued') {}

export class RequestedLinkResponse extends WithMessage('Check your email') {}

/** Documents a 32-bit integer. */
export const ApiInteger = (description: string, options: ApiPropertyOptions = {}) =>
  ApiProperty({ description, type: 'integer', format: 'int32', ...options });

/** Documents a nullable text in a response. */
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
  {
    nullable = false,
    required = true,
    example = '2026-01-31T10:15:00.000Z',
  }: { nullable?: boolean; required?: boolean; example?: string | null } = {},
) => ApiProperty({ description, type: String, format: 'date-time', nullable, required, example });

/** The fields common to responses of stored records. */
export class RecordDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiTimestamp('Time of creation')
  createdAt!: Date;

  @ApiTimestamp('Time of the last change')
  updatedAt!: Date;
}

/** Returns a function that maps a record to a response: only the fields documented by the class. */
export function toDto<Dto extends object>(type: Type<Dto>): (record: Readonly<Dto>) => Dto {
  const documented = Reflect.getMetadata(
    DECORATORS.API_MODEL_PROPERTIES_ARRAY,
    type.prototype as object,
  ) as string[];
  // Each name is prefixed with a colon.
  const names = documented.map((name) => name.slice(1)) as (keyof Dto)[];
  return (record) => Object.fromEntries(names.map((name) => [name, record[name]])) as Dto;
}
