import type { Mail } from './mail.js';
import type { Content } from './render.js';

/** Renders mail to customers when it is sent, so that its content is up to date. */
export abstract class CustomerContent {
  /** @returns null if the mail is no longer needed */
  abstract render(mail: Mail): Promise<Content | null>;

  /** The current address of the customer that a mail is about; undefined if it cannot receive mail. */
  abstract addressOf(mail: Pick<Mail, 'about' | 'accountId'>): Promise<string | undefined>;
}
