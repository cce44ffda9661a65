import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Account, CurrentUser } from '../auth/auth.decorators.js';
import type { UserPrincipal } from '../auth/principal.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { QueuedMail } from '../shared/fields/response.decorators.js';
import { Idempotency } from '../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids.js';
import { CustomerMail } from './customer-mail.service.js';
import { KindParam, PutMailTemplateDto, toTemplateFields } from './dto/mail-template.dto.js';
import {
  MailTemplateListResponse,
  SavedMailTemplate,
  toMailTemplateDto,
} from './dto/mail-template.response.js';
import { MailTemplates } from './mail-templates.service.js';

@ApiTags('mail')
@Controller('mail-templates')
export class MailTemplatesController {
  constructor(
    private readonly templates: MailTemplates,
    private readonly customerMail: CustomerMail,
  ) {}

  @Get()
  @Describe(
    'List your email templates',
    'There is one template per kind. `license_issued` delivers the key of a new license. `license_expiring` is sent ' +
      '30, 7 and 1 days before a license expires. Both are off until you turn them on.',
  )
  @Responds(200, 'The templates', MailTemplateListResponse)
  async listMailTemplates(@Account() accountId: AccountId): Promise<MailTemplateListResponse> {
    const [templates, blockedBy] = await Promise.all([
      this.templates.list(accountId),
      this.customerMail.obstacleFor(accountId),
    ]);
    return { data: templates.map(toMailTemplateDto), nextCursor: null, blockedBy };
  }

  @Put(':kind')
  @Describe(
    'Change a template, or turn its mail on or off',
    'Replaces the whole template. The default applies to a text you omit.',
  )
  @Responds(200, 'The template', SavedMailTemplate)
  @ApiErrors('MAIL_OFF')
  async putMailTemplate(
    @Account() accountId: AccountId,
    @Param() { kind }: KindParam,
    @Body() body: PutMailTemplateDto,
  ): Promise<SavedMailTemplate> {
    const template = await this.templates.put(kind, accountId, toTemplateFields(kind, body));
    return { message: 'Template saved', template: toMailTemplateDto(template) };
  }

  @Post(':kind/test')
  @Describe(
    'Email a template to yourself',
    'Sends sample values to the email address of your login, even if the template is off.',
  )
  @Responds(202, 'The mail is queued', QueuedMail)
  @ApiErrors('MAIL_OFF', 'ADDRESS_NOT_MAILABLE')
  async testMailTemplate(
    @CurrentUser() user: UserPrincipal,
    @Param() { kind }: KindParam,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<QueuedMail> {
    await this.templates.test(kind, user, idempotency);
    return { message: 'Mail queued' };
  }
}
