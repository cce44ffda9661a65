import { EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../../e2e/developer.js';
import { newEmail } from '../../http-caller.js';
import { MailServer, mailThrough, type ReceivedMail, reply } from '../../mail-server.js';
import { describeConsole } from '../console-under-test.js';
import { chooseAction, confirm, logIn, openDialog, submit } from '../steps.js';

const NEW_PASSWORD = 'nine loud kettles whistle';

describeConsole('A mailed link of the console', (tested) => {
  const mailServer = new MailServer();
  beforeAll(async () => {
    const { SMTP_URL, MAIL_FROM } = mailThrough(await mailServer.start());
    await tested.service.end('SIGKILL');
    await tested.startService({ SMTP_URL, MAIL_FROM, CUSTOMER_MAIL: 'true' });
  });
  afterAll(async () => {
    await tested.service.end('SIGKILL');
    await tested.startService();
    await mailServer.stop();
  });
  const owner = tested.useDeveloper();

  const mails: ReceivedMail[] = [];
  const arrivals = new EventEmitter();
  /** An address that does not exist. */
  let unknown = '';
  mailServer.onMail = (mail) => {
    if (mail.to.includes(unknown)) throw reply(550, '5.1.1 No such user');
    mails.push(mail);
    arrivals.emit('mail');
  };

  /** The link in the mail to an address. */
  const mailedLink = async (to: string, path: string): Promise<string> => {
    const link = new RegExp(`http://localhost:\\d+/console/${path}#\\S+`);
    const find = () =>
      mails
        .filter((mail) => mail.to[0] === to)
        .flatMap(({ parsed }) => link.exec(String(parsed.text)) ?? [])[0];
    while (find() === undefined) await once(arrivals, 'mail');
    return find()!;
  };
  /** Opens the link in the mail to an address. The page forgets the token. */
  const openMailed = async (page: Page, to: string, path: string): Promise<void> => {
    await page.goto(await mailedLink(to, path));
    await page.waitForURL(`**/${path}`);
  };

  /** Waits until the latest mail to an address has a status. */
  const untilMail = async (to: string, status: string): Promise<void> => {
    for (;;) {
      const { body } = await tested.service.get('/mails', owner);
      const mail = body.data.find((one: { to: string }) => one.to === to);
      if (mail?.status === status) return;
      await setTimeout(50);
    }
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
    await page.getByText('Delete any that someone else may know').waitFor();
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

  it('confirms the address of an owner whose mail it blocks, then delivers an invitation, keys, and again what failed', async () => {
    const page = await tested.openAs(owner, '/account/mail');
    const blocked = page.getByRole('region', { name: 'Customers get no mail' });
    await blocked.getByText(`your email address, ${owner.email}`).waitFor();
    await confirm(page, 'Send me a link');
    await page.getByText(`Sent a link to ${owner.email}`).waitFor();
    await openMailed(page, owner.email, 'confirm-email');
    await submit(page, 'Confirm address');
    await page.getByText(`${owner.email} is confirmed`).waitFor();

    await page.goto(`${tested.url}/account/team`);
    const email = newEmail();
    await submit(await openDialog(page, 'Invite member'), 'Invite member', { Email: email });
    await page.getByText(`We mailed this link to ${email}`).waitFor();
    const other = await tested.newPage();
    await other.goto(await mailedLink(email, 'join'));
    await submit(other, 'Join', { Name: 'Grace', Password: PASSWORD });
    await other.getByText('Latest events').waitFor();

    await page.goto(`${tested.url}/account/mail`);
    const edit = await openDialog(page, 'Edit “License key”');
    expect(await blocked.count()).toBe(0);
    await edit.getByLabel('Mail customers automatically').check();
    await submit(edit, 'Save');
    await page.getByText('On', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send me a test of “License key”' }).click();
    await submit(page.getByRole('dialog'), 'Send me a test');
    await page.getByText('Test sent to your own address').waitFor();

    const client = await tested.service.createClient(owner);
    unknown = client.email;
    const { license } = await tested.service.createProject(owner, client._id);
    await untilMail(client.email, 'failed');
    await page.goto(`${tested.url}/account/mail`);
    const row = page.getByRole('row').filter({ hasText: client.email });
    await row.getByText('rejected 550 5.1.1').waitFor();
    unknown = '';
    await row.getByRole('button', { name: `Send again to ${client.email}` }).click();
    await page.getByText('Queued again').waitFor();
    await untilMail(client.email, 'sent');
    await page.goto(`${tested.url}/licenses/${license._id}`);
    await chooseAction(page, 'Send key by email');
    await page.getByText(`Emails the license key to ${client.email}`).waitFor();
    await submit(page.getByRole('dialog'), 'Send key by email');
    await page.getByText('The key is on its way').waitFor();
    const keysTo = (to: string) =>
      mails.filter((mail) => mail.to[0] === to && mail.raw.includes(license.key));
    while (keysTo(client.email).length < 2) await once(arrivals, 'mail');
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
