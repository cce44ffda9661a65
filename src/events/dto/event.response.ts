import { ApiProperty } from '@nestjs/swagger';
import {
  ApiInteger,
  ApiNullableText,
  ApiObjectId,
  ApiTimestamp,
  toDto,
} from '../../shared/fields/response.decorators.js';
import { ListOf } from '../../shared/pagination/page.query.js';
import { ACTOR_TYPES, type Event, EVENT_TYPES, type EventData, type EventType } from '../event.js';

export class EventSubject {
  @ApiProperty({ description: 'The part of the event type before the dot', example: 'license' })
  type!: string;

  @ApiObjectId('Object id')
  id!: string;

  @ApiProperty({
    description:
      'Name at the time of the event; for a license, the last four characters of its key',
    example: '•••• 93KD',
  })
  name!: string;
}

export class EventActor {
  @ApiProperty({
    description: '`system` is the service itself, which has no id or name',
    enum: ACTOR_TYPES,
    enumName: 'ActorType',
    example: 'user',
  })
  type!: (typeof ACTOR_TYPES)[number];

  @ApiNullableText('Object id; for a machine, its hash', '665f1c2ab7e4a90012345678')
  id!: string | null;

  @ApiNullableText('Name at the time of the event, if it had one', 'Ada Lovelace')
  name!: string | null;
}

export class EventDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiProperty({ enum: EVENT_TYPES, enumName: 'EventType', example: 'license.renewed' })
  type!: EventType;

  @ApiTimestamp('When the event happened. For a counted event, when it first happened.')
  at!: Date;

  @ApiTimestamp('When it last happened, if it happened more than once that day (UTC)', {
    nullable: true,
  })
  lastAt!: Date | null;

  @ApiInteger(
    'How often it happened that day. Rejections, failed logins and floating seats are counted instead of stored one by one.',
    {
      minimum: 1,
      example: 1,
    },
  )
  count!: number;

  @ApiProperty({ type: EventSubject })
  subject!: EventSubject;

  @ApiProperty({ type: EventActor })
  actor!: EventActor;

  @ApiProperty({
    description:
      'Details of the event. An update has `{ field: [before, after] }`; for metadata, only the names.',
    type: 'object',
    additionalProperties: true,
    example: { expiresAt: ['2026-07-31T10:15:00.000Z', '2027-01-31T10:15:00.000Z'], duration: 6 },
  })
  data!: EventData;

  @ApiNullableText(
    '`X-Request-Id` of the request that caused the event; null if there was none',
    '0b0e2d34-9d6c-4b71-a0f5-6f0d9e5b1c55',
  )
  requestId!: string | null;

  @ApiTimestamp('When the event was stored. Later than `at` if the service was not running.')
  storedAt!: Date;
}

export class EventListResponse extends ListOf(EventDto) {}

const shown = toDto(EventDto);

export const toEventDto = (event: Event): EventDto =>
  shown({
    ...event,
    subject: { type: event.type.split('.')[0]!, id: event.subject, name: event.subjectName },
    actor: { type: event.actorType, id: event.actor, name: event.actorName },
  });
