import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Account } from '../auth/auth.decorators.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { IdParam } from '../shared/fields/request.decorators.js';
import { Idempotency } from '../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids.js';
import { PageQuery, toListResponse, toPageRequest } from '../shared/pagination/page.query.js';
import { MailListResponse, RetriedMailResponse, toMailDto } from './dto/mail.response.js';
import { MailsService } from './mails.service.js';

const LIST = 'mails';

@ApiTags('mail')
@Controller('mails')
export class MailsController {
  constructor(private readonly mails: MailsService) {}

  @Get()
  @Describe(
    'List the mail of your account',
    'Paginated, newest first. The texts are omitted. Mail to members and to customers, kept for 30 days.',
  )
  @Responds(200, 'A page of mails', MailListResponse)
  async listMails(
    @Account() accountId: AccountId,
    @Query() query: PageQuery,
  ): Promise<MailListResponse> {
    const page = await this.mails.list(accountId, toPageRequest(query, LIST));
    return toListResponse(page, LIST, toMailDto);
  }

  @Post(':id/retry')
  @Describe(
    'Send a failed mail again',
    "Only mail to customers. The text is rendered again from the current license and sent to the client's current address.",
  )
  @Responds(202, 'The queued mail', RetriedMailResponse)
  @ApiErrors('MAIL_OFF', 'MAIL_NOT_FOUND', 'MAIL_NOT_REPEATABLE', 'ADDRESS_NOT_MAILABLE')
  async retryMail(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<RetriedMailResponse> {
    const mail = await this.mails.retry(id, accountId, idempotency);
    return { message: 'Mail queued', mail: toMailDto(mail) };
  }
}
