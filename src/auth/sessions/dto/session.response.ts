import { ApiProperty } from '@nestjs/swagger';
import {
  ApiNullableText,
  ApiObjectId,
  ApiTimestamp,
  toDto,
} from '../../../shared/fields/response.decorators.js';
import { ListOf } from '../../../shared/pagination/page.query.js';
import type { Session } from '../session.js';

export class SessionDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiTimestamp('Time of the login')
  createdAt!: Date;

  @ApiTimestamp('Time of the last login or refresh')
  lastUsedAt!: Date;

  @ApiProperty({
    description: 'IP address of the last login or refresh; the /64 network for IPv6',
    example: '192.0.2.7',
  })
  address!: string;

  @ApiNullableText(
    '`User-Agent` of the last login or refresh',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  )
  userAgent!: string | null;

  @ApiProperty({ description: 'True for the session that sent this request', example: true })
  current!: boolean;
}

export class SessionListResponse extends ListOf(SessionDto) {}

const shown = toDto(SessionDto);

/** @param current the id of the session that sends the request */
export const toSessionDto = (session: Session, current: string): SessionDto =>
  shown({ ...session, current: session._id === current });
