import { Injectable } from '@nestjs/common';
import { DomainError } from '../shared/errors/domain-error.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids.js';
import { NEWEST_FIRST, type Page, type PageRequest, readPage } from '../shared/pagination/page.js';
import { Clock } from '../shared/time/clock.js';
import { replace } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { getOwned, Store } from '../storage/store.js';
import { CustomerContent } from './customer-content.js';
import { type Mail, MAILS, requeued } from './mail.js';
import { OutgoingMail } from './outgoing-mail.service.js';

/** Lists an account's mail, and sends failed mail to customers again. */
@Injectable()
export class MailsService {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly outgoing: OutgoingMail,
    private readonly content: CustomerContent,
    private readonly clock: Clock,
  ) {}

  list(accountId: AccountId, page: PageRequest): Promise<Page<Mail>> {
    return readPage(this.store, MAILS, { accountId }, NEWEST_FIRST, page);
  }

  /** Mail about a license goes to its client's current address. */
  async retry(_id: string, accountId: AccountId, idempotency?: IdempotencyRecord): Promise<Mail> {
    const decide = async () => {
      const mail = await getOwned(this.store, MAILS, _id, accountId, 'MAIL_NOT_FOUND');
      if (!this.outgoing.isOn) throw new DomainError('MAIL_OFF');
      // The link in a mail to a member is stored only as a hash.
      if (mail.isToMember || mail.status !== 'failed') throw new DomainError('MAIL_NOT_REPEATABLE');
      const to = mail.license ? await this.content.addressOf(mail) : mail.to;
      if (to === undefined) throw new DomainError('ADDRESS_NOT_MAILABLE');
      const after = requeued({ ...mail, to }, this.clock.now());
      return { result: after, changes: [replace(MAILS, mail, after)] };
    };
    return this.decisions.run(decide, { idempotency, key: _id });
  }
}
