import { ApiProperty } from '@nestjs/swagger';
import {
  ApiInteger,
  ApiNullableText,
  ApiObjectId,
  ApiTimestamp,
  toDto,
  WithMessage,
} from '../../shared/fields/response.decorators.js';
import { ListOf } from '../../shared/pagination/page.query.js';
import { type Mail, MAIL_KINDS, MAIL_STATUSES, type MailKind } from '../mail.js';

export class MailDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiProperty({ enum: Object.keys(MAIL_KINDS), enumName: 'MailKind', example: 'password_reset' })
  kind!: MailKind;

  @ApiProperty({ description: 'The recipient', example: 'ada@studio.example' })
  to!: string;

  @ApiProperty({ example: 'Reset your password' })
  subject!: string;

  @ApiProperty({ enum: MAIL_STATUSES, enumName: 'MailStatus', example: 'sent' })
  status!: Mail['status'];

  @ApiInteger('Finished attempts', { minimum: 0, example: 1 })
  attempts!: number;

  @ApiNullableText(
    'Why the last attempt failed: a fixed word, followed by the codes of the mail server if it replied',
    'rejected 550 5.1.1',
  )
  error!: string | null;

  @ApiTimestamp('Time of creation')
  createdAt!: Date;

  @ApiTimestamp('When the mail server accepted it', { nullable: true })
  sentAt!: Date | null;
}

export class MailListResponse extends ListOf(MailDto) {}

export class RetriedMailResponse extends WithMessage('Mail queued', { mail: MailDto }) {}

export const toMailDto: (mail: Mail) => MailDto = toDto(MailDto);
