import { Injectable } from '@nestjs/common';
import type { Mail } from './mail.js';
import type { Content } from './render.js';

/** Renders a mail to a customer when it is sent, so that it shows the license as it is then. */
@Injectable()
export class CustomerContent {
  /** @returns null if nothing is to be sent any more */
  render(_mail: Mail): Promise<Content | null> {
    return Promise.resolve(null);
  }
}
