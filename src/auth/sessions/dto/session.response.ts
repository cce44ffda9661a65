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

  @ApiTimestamp('The time of the login')
  createdAt!: Date;

  @ApiTimestamp('The time of the latest login or refresh')
  lastUsedAt!: Date;

  @ApiProperty({
    description: 'The IP address of the latest login or refresh; for IPv6, its /64',
    example: '192.0.2.7',
  })
  address!: string;

  @ApiNullableText(
    'The `User-Agent` of the latest login or refresh',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  )
  userAgent!: string | null;

  @ApiProperty({ description: 'Whether it is the one of this request', example: true })
  current!: boolean;
}

export class SessionListResponse extends ListOf(SessionDto) {}

const shown = toDto(SessionDto);

/** @param current the session id of the request */
export const toSessionDto = (session: Session, current: string): SessionDto =>
  shown({ ...session, current: session._id === current });
