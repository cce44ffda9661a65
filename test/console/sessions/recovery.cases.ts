import { EventEmitter, once } from 'node:events';
import type { Page } from 'playwright-core';
import { MailServer, mailThrough, type ReceivedMail } from '../../mail-server.js';
import { describeConsole } from '../console-under-test.js';
import { logIn, submit } from '../steps.js';

const NEW_PASSWORD = 'nine loud kettles whistle';

describeConsole('A mailed link of the console', (tested) => {
  const mailServer = new MailServer();
  beforeAll(async () => {
    const { SMTP_URL, MAIL_FROM } = mailThrough(await mailServer.start());
    await tested.service.end('SIGKILL');
    await tested.startService({ SMTP_URL, MAIL_FROM });
  });
  afterAll(async () => {
    await tested.service.end('SIGKILL');
    await tested.startService();
    await mailServer.stop();
  });
  const owner = tested.useDeveloper();

  const mails: ReceivedMail[] = [];
  const arrivals = new EventEmitter();
  mailServer.onMail = (mail) => {
    mails.push(mail);
    arrivals.emit('mail');
  };

  /** Opens the link in the mail to an address. The page forgets the token. */
  const openMailed = async (page: Page, to: string, path: string): Promise<void> => {
    const link = new RegExp(`http://localhost:\\d+/console/${path}#\\S+`);
    const find = () =>
      mails
        .filter((mail) => mail.to[0] === to)
        .flatMap(({ parsed }) => link.exec(String(parsed.text)) ?? [])[0];
    while (find() === undefined) await once(arrivals, 'mail');
    await page.goto(find()!);
    await page.waitForURL(`**/${path}`);
  };

  it('resets a forgotten password, even after a rejected one, and lists the API keys to check', async () => {
    await tested.service.addApiKey(owner, ['licenses:read']);
    const page = await tested.newPage();
    await page.goto(`${tested.publicUrl}/login`);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    // The page before has a field of this name, too.
    await page.getByRole('button', { name: 'Send link' }).waitFor();
    await submit(page, 'Send link', { Email: owner.email });
    await page.getByText('Check your email').waitFor();

    await openMailed(page, owner.email, 'reset-password');
    await submit(page, 'Change password', { 'New password': owner.email });
    await page.getByText('New password must').waitFor();
    await submit(page, 'Change password', { 'New password': NEW_PASSWORD });
    await page.getByText('Delete any that somebody else may know').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await logIn(page, owner, NEW_PASSWORD);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();

    await openMailed(page, owner.email, 'reset-password');
    await submit(page, 'Change password', { 'New password': NEW_PASSWORD });
    await page.getByText('This link is no longer valid').waitFor();
    await page.goBack();
    await page.goForward();
    expect(new URL(page.url()).hash).toBe('');
  });

  it('confirms a new email address', async () => {
    const page = await tested.newPage();
    await page.goto(`${tested.publicUrl}/login`);
    await logIn(page, owner);
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    const email = `new-${owner._id}@studio.example`;
    const form = page.getByRole('region', { name: 'Change email' });
    await submit(form, 'Send link', { 'New email': email });
    await page.getByText(`Sent a link to ${email}`).waitFor();
    await openMailed(page, email, 'confirm-email');
    await submit(page, 'Confirm address');
    await page.getByText(`${email} is confirmed`).waitFor();
    await page.getByRole('link', { name: 'Open the console' }).click();
    await page.goto(`${tested.publicUrl}/account`);
    await page.getByRole('region', { name: 'You' }).getByText(email).waitFor();
  });

  it('is not offered without mail', async () => {
    const page = await tested.newPage();
    await page.route('**/auth/registration', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ json: { ...(await response.json()), passwordReset: false } });
    });
    await page.goto(`${tested.publicUrl}/login`);
    await page.getByText('New here?').waitFor();
    expect(await page.getByText('Forgot').count()).toBe(0);
    expect(await page.goto(`${tested.publicUrl}/reset-password`)).not.toBeNull();
    await page.getByText('The link is incomplete').waitFor();
  });
});
