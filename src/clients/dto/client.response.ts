import { ApiProperty } from '@nestjs/swagger';
import { ApiObjectId, ApiTimestamp } from '../../openapi/decorators/api-fields.decorators.js';
import { NextCursor } from '../../shared/pagination/page.query.js';
import type { Client } from '../client.js';

/** A client in responses. */
export class ClientDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiProperty({ example: 'Acme Ltd' })
  name!: string;

  @ApiProperty({ example: 'office@acme.example' })
  email!: string;

  @ApiObjectId('The user that created it')
  owner!: string;

  @ApiTimestamp('When it was created')
  createdAt!: Date;

  @ApiTimestamp('When it was last changed')
  updatedAt!: Date;
}

/** Response of POST /clients. */
export class CreatedClient {
  @ApiProperty({ example: 'Client created successfully' })
  message!: string;

  @ApiProperty({ type: ClientDto })
  client!: ClientDto;
}

/** Response of PATCH /clients/:id. */
export class UpdatedClient {
  @ApiProperty({ example: 'Client updated successfully' })
  message!: string;

  @ApiProperty({ type: ClientDto })
  client!: ClientDto;
}

/** A page of clients. */
export class ClientListResponse {
  @ApiProperty({ type: [ClientDto] })
  data!: ClientDto[];

  @NextCursor()
  nextCursor!: string | null;
}

export function toClientDto({ _id, name, email, owner, createdAt, updatedAt }: Client): ClientDto {
  return { _id, name, email, owner, createdAt, updatedAt };
}
