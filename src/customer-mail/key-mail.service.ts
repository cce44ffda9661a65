import { Injectable } from '@nestjs/common';
import type { Actor } from '../events/event.js';
import { LicenseReader } from '../licenses/license-reader.js';
import { PROJECTS } from '../projects/project.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids.js';
import { Clock } from '../shared/time/clock.js';
import { touch } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { CustomerLetters } from './customer-letters.service.js';
import { CustomerMail } from './customer-mail.service.js';
import { licenseEvent } from '../licenses/license-events.js';

interface KeyRequest {
  /** The client that asks for it; by default, the vendor asks. */
  readonly client?: string;
  readonly by?: Actor;
  readonly idempotency?: IdempotencyRecord | undefined;
}

/** Mails the key of a license to its client on request. It stores an event, which causes the mail. */
@Injectable()
export class KeyMail {
  constructor(
    private readonly licenses: LicenseReader,
    private readonly letters: CustomerLetters,
    private readonly customerMail: CustomerMail,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws DomainError LICENSE_NOT_FOUND, MAIL_OFF, LICENSE_ALREADY_REVOKED, ADDRESS_NOT_MAILABLE;
   * TOO_MANY_REQUESTS beyond an address's limit
   */
  send(
    _id: string,
    accountId: AccountId,
    { client, by, idempotency }: KeyRequest = {},
  ): Promise<void> {
    const decide = async () => {
      const license = await this.licenses.get(_id, accountId);
      if (client !== undefined && license.client !== client) {
        throw new DomainError('LICENSE_NOT_FOUND');
      }
      await this.customerMail.requireAllowed(accountId);
      if (license.status === 'REVOKED') throw new DomainError('LICENSE_ALREADY_REVOKED');
      const to = await this.letters.addressOf({ about: license.client, accountId });
      if (to === undefined) throw new DomainError('ADDRESS_NOT_MAILABLE');
      await this.customerMail.requireRoom(to, false);
      const event = licenseEvent('key_sent', license, this.clock.now(), by ? { by } : {});
      return { result: undefined, changes: [touch(PROJECTS, license.project), event] };
    };
    return this.decisions.run<void>(decide, { idempotency, key: _id });
  }
}
