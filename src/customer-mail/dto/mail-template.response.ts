import { ApiProperty } from '@nestjs/swagger';
import {
  ApiNullableText,
  ApiTimestamp,
  toDto,
  WithMessage,
} from '../../shared/fields/response.decorators.js';
import { ListOf } from '../../shared/pagination/page.query.js';
import { MAIL_OBSTACLES, type MailObstacle } from '../customer-mail.service.js';
import { DEFAULT_TEXTS, TEMPLATE_KINDS, type TemplateKind } from '../mail-template.js';

export class MailTemplateDto {
  @ApiProperty({ enum: TEMPLATE_KINDS, enumName: 'MailTemplateKind', example: 'license_issued' })
  kind!: TemplateKind;

  @ApiProperty({ description: 'Whether clients get this mail', example: false })
  enabled!: boolean;

  @ApiProperty({ example: DEFAULT_TEXTS.license_issued.subject })
  subject!: string;

  @ApiProperty({ example: DEFAULT_TEXTS.license_issued.text })
  text!: string;

  @ApiNullableText(
    "Where replies go; null for the service's sender address",
    'support@acme.example',
  )
  replyTo!: string | null;

  @ApiTimestamp('Time of the last change; null if it has never been changed', { nullable: true })
  updatedAt!: Date | null;
}

export class MailTemplateListResponse extends ListOf(MailTemplateDto) {
  @ApiProperty({
    description:
      'Why your account cannot mail its clients; null if it can. `no_smtp`: the operator has not set up mail. `unconfirmed_owner`: the ' +
      'owner has not confirmed their email address. `customer_mail_off`: the operator allows no mail to clients.',
    type: String,
    nullable: true,
    enum: [...MAIL_OBSTACLES, null],
    example: null,
  })
  blockedBy!: MailObstacle | null;
}

export class SavedMailTemplate extends WithMessage('Template saved', {
  template: MailTemplateDto,
}) {}

export const toMailTemplateDto = toDto(MailTemplateDto);
