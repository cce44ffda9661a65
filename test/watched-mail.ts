import { OutgoingMail } from '../src/mail/outgoing-mail.service.js';
import { Config } from '../src/shared/config/config.js';
import { DataKeys } from '../src/shared/sealing/data-keys.js';
import { Clock } from '../src/shared/time/clock.js';
import { Store } from '../src/storage/store.js';
import type { SecretWatch } from './secret-watch.js';

/** The service's mail to members, with links that a test watches (S12). */
class WatchedMail extends OutgoingMail {
  constructor(
    private readonly secrets: SecretWatch,
    ...dependencies: ConstructorParameters<typeof OutgoingMail>
  ) {
    super(...dependencies);
  }

  override sealed(...parameters: Parameters<OutgoingMail['sealed']>) {
    const [{ kind }, { text }] = parameters;
    // The response to an invitation has the link, too, for accounts without mail.
    this.secrets.mailed(text, kind === 'invitation');
    return super.sealed(...parameters);
  }
}

/** The provider of watched mail. */
export const watchedMail = (secrets: SecretWatch) => ({
  inject: [Store, Config, DataKeys, Clock],
  factory: (...dependencies: ConstructorParameters<typeof OutgoingMail>) =>
    new WatchedMail(secrets, ...dependencies),
});
