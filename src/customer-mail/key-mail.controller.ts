import { Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Account } from '../auth/auth.decorators.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { IdParam } from '../shared/fields/request.decorators.js';
import { Idempotency } from '../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import { QueuedMail } from '../shared/fields/response.decorators.js';
import type { AccountId } from '../shared/ids.js';
import { KeyMail } from './key-mail.service.js';

@ApiTags('licenses')
@Controller('licenses')
export class KeyMailController {
  constructor(private readonly keyMail: KeyMail) {}

  @Post(':id/send')
  @Describe(
    'Email the key of a license to its client',
    'Uses the template `license_issued`, even if it is off. An address gets at most 20 mails an hour (429); beyond the hourly limit of ' +
      'your account, the mail is delayed. GET /mails shows whether it was sent.',
  )
  @Responds(202, 'The mail is queued', QueuedMail)
  @ApiErrors('LICENSE_NOT_FOUND', 'LICENSE_ALREADY_REVOKED', 'MAIL_OFF', 'ADDRESS_NOT_MAILABLE')
  async sendLicenseKey(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<QueuedMail> {
    await this.keyMail.send(id, accountId, { idempotency });
    return { message: 'Mail queued' };
  }
}
