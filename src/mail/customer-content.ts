import type { Mail } from './mail.js';
import type { Content } from './render.js';

/** Writes mail to customers when it is sent, so that it shows what is true then. */
export abstract class CustomerContent {
  /** @returns null if nothing is to be sent any more */
  abstract render(mail: Mail): Promise<Content | null>;

  /** The present address of the customer that a mail is about; undefined if it cannot be mailed. */
  abstract addressOf(mail: Pick<Mail, 'about' | 'accountId'>): Promise<string | undefined>;
}
