import { ApiProperty } from '@nestjs/swagger';
import {
  ApiInteger,
  ApiObjectId,
  RecordDto,
  toDto,
  WithMessage,
} from '../../shared/fields/response.decorators.js';
import { CountedListOf } from '../../shared/pagination/page.query.js';
import type { Client } from '../client.js';

export class ClientDto extends RecordDto {
  @ApiProperty({ example: 'Acme Ltd' })
  name!: string;

  @ApiProperty({ example: 'office@acme.example' })
  email!: string;

  @ApiObjectId('The user who created the client')
  owner!: string;
}

export class CreatedClient extends WithMessage('Client created', { client: ClientDto }) {}

export class UpdatedClient extends WithMessage('Client updated', { client: ClientDto }) {}

/** A client in a list. */
export class ListedClient extends ClientDto {
  @ApiInteger('Number of licenses of the client; only if requested', {
    minimum: 0,
    required: false,
    example: 12,
  })
  licensesCount?: number;
}

export class ClientListResponse extends CountedListOf(ListedClient) {}

export const toClientDto: (client: Client) => ClientDto = toDto(ClientDto);
