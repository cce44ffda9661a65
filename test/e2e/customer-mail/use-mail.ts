import { USERS } from '../../../src/auth/accounts/user.js';
import { MAILS } from '../../../src/mail/mail.js';
import { MailQueue } from '../../../src/mail/mail-queue.job.js';
import { removeAll, replace } from '../../../src/storage/changes.js';
import { Decisions } from '../../../src/storage/decisions.js';
import { Store } from '../../../src/storage/store.js';
import type { TestApp } from '../../app.js';
import { MailServer } from '../../mail-server.js';
import { START } from '../../fake-clock.js';
import type { Developer, LoggedInDeveloper } from '../developer.js';
import { useApp } from '../use-app.js';

const FROM_ANY = { strict: false };

/** An application with its own mail server, and a developer with a confirmed address. */
export function useMail(variables: NodeJS.ProcessEnv = {}) {
  const server = new MailServer();
  const env = { PUBLIC_URL: 'http://localhost:3000', MAIL_FROM: 'Acme <licenses@acme.example>' };
  const options = { ...env, CUSTOMER_MAIL: 'true', ...variables, SMTP_URL: '' };
  beforeAll(async () => {
    options.SMTP_URL = `smtp://127.0.0.1:${await server.start()}`;
  });
  afterAll(() => server.stop());
  const app = useApp(options);
  const ada = {} as LoggedInDeveloper;
  beforeEach(async () => {
    app.clock.set(START);
    Object.assign(ada, await app.register());
    await confirm(app, ada);
    // Other tests have left some.
    await app.nest.get(Decisions, FROM_ANY).commit([removeAll(MAILS, {})]);
    server.received.length = 0;
    server.onMail = () => undefined;
  });
  return [app, ada, server] as const;
}

/** The owner of an account opens the link that confirms their address. */
async function confirm(app: TestApp, { _id }: Developer): Promise<void> {
  const user = await app.nest.get(Store, FROM_ANY).find(USERS, { _id });
  const confirmed = { ...user!, emailConfirmedAt: app.clock.now() };
  await app.nest.get(Decisions, FROM_ANY).commit([replace(USERS, user!, confirmed)]);
}

/** Sends all mail that is due. */
export async function sendDue(app: TestApp): Promise<void> {
  const [queue, store] = [app.nest.get(MailQueue, FROM_ANY), app.nest.get(Store, FROM_ANY)];
  const soonestFirst = { by: 'nextAttemptAt', direction: 'asc' } as const;
  for (let times = 0; times < 500; times += 1) {
    await queue.waitForAttempts();
    const due = { nextAttemptAt: { before: new Date(app.clock.now().getTime() + 1) } };
    const isDone = (await store.list(MAILS, due, soonestFirst, { limit: 1 })).length === 0;
    if (isDone) return;
    await queue.step();
  }
  throw new Error('Some mail stays due');
}
