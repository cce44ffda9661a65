import { Injectable } from '@nestjs/common';
import { findOwner } from '../auth/accounts/find-owner.js';
import type { User } from '../auth/accounts/user.js';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { open, seal } from '../shared/sealing/sealing.js';
import { type AccountId, newObjectId } from '../shared/ids.js';
import { Clock } from '../shared/time/clock.js';
import { insert, type Insert } from '../storage/changes.js';
import { Store } from '../storage/store.js';
import { mailableAddress } from './address.js';
import { type Mail, MAILS, newMail, type NewMail } from './mail.js';
import { MEMBER_TEXTS, type MemberMailKind } from './member-texts.js';
import { type Content, render, type Values, type Verbatim } from './render.js';

/** A mail to a member, and the values of its text. */
export interface MemberMail extends Pick<
  NewMail,
  '_id' | 'accountId' | 'to' | 'about' | 'giveUpAt'
> {
  readonly kind: MemberMailKind;
  readonly values: Values;
}

/** Creates the changes that send mail, for the commit of its cause. The worker then sends it. */
@Injectable()
export class OutgoingMail {
  constructor(
    private readonly store: Store,
    private readonly config: Config,
    private readonly dataKeys: DataKeys,
    private readonly clock: Clock,
  ) {}

  get isOn(): boolean {
    return this.config.smtpUrl !== undefined;
  }

  /**
   * Whether an account may send mail. If registration is open, anyone can register a stranger's address.
   * Until its owner has confirmed the address, an account therefore sends only the confirmation.
   */
  isAllowedFor(owner: Pick<User, 'emailConfirmedAt'> | undefined): boolean {
    const isOpen = this.config.registration === 'open';
    return this.isOn && owner !== undefined && (!isOpen || owner.emailConfirmedAt !== null);
  }

  /** Whether the account of a member {@link isAllowedFor its owner may mail}. */
  async isAllowedIn(account: AccountId): Promise<boolean> {
    return this.isAllowedFor(await findOwner(this.store, account));
  }

  /** A page of the console with a token in the fragment, which browsers never send to a server. */
  linkTo(page: 'reset-password' | 'confirm-email' | 'join', token: string): Verbatim {
    return { as: 'link', text: `${this.config.address}/console/${page}#${token}` };
  }

  /** The change that mails a member. The content is stored sealed. */
  toMember({ values, ...fields }: MemberMail): Insert {
    const { subject, text } = MEMBER_TEXTS[fields.kind];
    const service = { as: 'link', text: this.config.address } as const;
    const content = { ...render(subject, text, { ...values, service }), replyTo: null };
    return this.sealed(fields, content);
  }

  /** The change that sends this content. */
  sealed(fields: Omit<NewMail, 'subject' | 'sealed'>, content: Content): Insert {
    const _id = fields._id ?? newObjectId();
    const sealed = seal(this.key, Buffer.from(JSON.stringify(content)), contextOf(_id));
    return this.insertMail({ ...fields, _id, subject: content.subject, sealed });
  }

  /** The change that mails a customer. The content is rendered when the mail is sent. */
  toCustomer(
    fields: Pick<NewMail, 'accountId' | 'kind' | 'to' | 'subject' | 'about' | 'license'>,
  ): Insert {
    return this.insertMail(fields);
  }

  /** The content of a mail to a member. */
  open({ _id, sealed }: Mail): Content {
    return JSON.parse(open(this.key, sealed!, contextOf(_id)).toString()) as Content;
  }

  private insertMail(fields: NewMail): Insert {
    const address = mailableAddress(fields.to);
    const mail = { ...fields, to: address ?? fields.to };
    return insert(MAILS, newMail(mail, address !== undefined, this.clock.now()));
  }

  private get key() {
    return this.dataKeys.sealing;
  }
}

export const addressUnconfirmed = (): DomainError =>
  new DomainError('MAIL_OFF', {
    details: 'The owner of the account has not confirmed their email address yet.',
  });

const contextOf = (_id: string) => `mail ${_id}`;
