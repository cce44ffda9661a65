import { ApiProperty } from '@nestjs/swagger';
import { EventDto, toEventDto } from '../../events/dto/event.response.js';
import { MailDto, toMailDto } from '../../mail/dto/mail.response.js';
import { WithMessage } from '../../shared/fields/response.decorators.js';
import type { PersonalData } from '../personal-data.service.js';
import { ClientDto, toClientDto } from './client.response.js';

export class PersonalDataDto {
  @ApiProperty({
    description: 'The client, even if it is in the bin; null if only events mention it',
    type: ClientDto,
    nullable: true,
  })
  client!: ClientDto | null;

  @ApiProperty({
    description: 'The events about the client, newest first, at most 1,000',
    type: [EventDto],
  })
  events!: EventDto[];

  @ApiProperty({
    description: 'The mail of the last 30 days to the client, newest first, at most 1,000',
    type: [MailDto],
  })
  mails!: MailDto[];
}

export class ErasedClient extends WithMessage('Personal data erased') {}

export const toPersonalDataDto = ({ client, events, mails }: PersonalData): PersonalDataDto => ({
  client: client && toClientDto(client),
  events: events.map(toEventDto),
  mails: mails.map(toMailDto),
});
