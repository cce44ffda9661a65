import fs from 'node:fs';
import type { Page } from 'playwright-core';
import { checkOf, machineOf, verifyCertificate } from '../../e2e/certificates/certificates.js';
import { LAPTOP, PASSWORD } from '../../e2e/developer.js';
import { useReceiver } from '../../e2e/webhooks/receiver.js';
import { run } from '../../sdk/commands.js';
import { describeConsole } from '../console-under-test.js';
import { confirm, copied, expectFocus, submit, validityOf } from '../steps.js';
import { Vendor } from '../vendor.js';

const PRODUCT = 'com.example.web-shop';

describeConsole('The rarer jobs of a vendor, at 360 px', (tested) => {
  const receiver = useReceiver();
  const developer = tested.useDeveloper();
  let vendor: Vendor;
  let page: Page;
  beforeEach(async () => {
    vendor = await Vendor.at(tested, developer);
    ({ page } = vendor);
  });

  it('8: saves a certificate for offline activation with 2 clicks, and again with a third', async () => {
    const license = await tested.service.createLicense(developer, { product: PRODUCT });
    await vendor.paste(license.key);
    await vendor.click(page.getByText('Offline activation'));
    const field = page.getByLabel('Request');
    const keys = await tested.service.signingKeysOf(developer);
    await field.fill('no request');
    await vendor.button('Issue certificate').click();
    expect(await validityOf(field)).toBe('Paste the whole request that your app shows');
    const request = { fingerprint: LAPTOP, product: PRODUCT, check: checkOf(PRODUCT, LAPTOP) };
    await field.fill(JSON.stringify(request));
    await page.getByLabel('Days').fill('30');
    for (const name of ['Issue certificate', 'Download again']) {
      const downloaded = page.waitForEvent('download');
      await vendor.click(vendor.button(name));
      const file = await downloaded;
      expect(file.suggestedFilename()).toBe(`certificate-${license._id}.txt`);
      const certificate = fs.readFileSync(await file.path(), 'utf8');
      const { claims } = verifyCertificate(certificate, keys);
      expect(claims).toMatchObject({ aud: PRODUCT, machine: machineOf(claims, LAPTOP) });
      expect(claims.exp - claims.iat).toBe(30 * 86_400);
    }
    await page.getByText('Certificate issued', { exact: true }).first().waitFor();
    expect(vendor.clicks).toBe(3);
    await page.reload();
    await page.getByText('Offline activation').click();
    await vendor.button('Download again').waitFor();
  });

  it('9: sees the sessions with 1 click, ends a single one, and signs out everywhere else with 1 more', async () => {
    const other = await tested.openAs(developer, '/clients', { userAgent: 'Second browser' });
    await other.getByText('No customers yet').waitFor();
    const login = { email: developer.email, password: PASSWORD };
    const third = { headers: { 'User-Agent': 'Third browser' } };
    await tested.service.post('/auth/login', login, third);
    await vendor.click(page.getByRole('link', { name: 'Account' }).first());
    await vendor.button('End Third browser').click();
    await page
      .getByRole('dialog', { name: /Third browser since \d+ \w+ \d{4}, \d/ })
      .getByRole('button', { name: 'End' })
      .click();
    await page.getByRole('row', { name: 'Third browser' }).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: 'Second browser' }).getByText('127.0.0.1').waitFor();
    await other.getByRole('link', { name: 'Licenses' }).click();
    await other.getByText('No licenses yet').waitFor();

    await vendor.click(vendor.button('Sign out everywhere else'));
    await page.getByText('Signed out everywhere else').waitFor();
    await page.getByText('Second browser').waitFor({ state: 'detached' });
    await page.getByRole('row', { name: 'This session' }).waitFor();
    expect(vendor.clicks).toBe(2);
    await other.getByRole('link', { name: 'Plans' }).click();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it("10: copies a complete program with the account's keys, product and address with 2 clicks", async () => {
    for (const product of ['com.example.other', PRODUCT]) {
      await tested.service.createLicense(developer, { product });
    }
    await vendor.click(
      page.getByRole('main').getByRole('link', { name: 'Integrate', exact: true }),
    );
    await page.getByLabel('Product').selectOption(PRODUCT);
    await page.getByRole('link', { name: 'Python' }).click();
    await vendor.click(vendor.button('Copy code'));
    const program = await copied(page);
    const { issuer, current, next } = await tested.service.signingKeysOf(developer);
    for (const own of [PRODUCT, issuer, current.x, next.x, new URL(tested.url).origin]) {
      expect(program).toContain(own);
    }
    expect(await page.getByText('curl').count()).toBeGreaterThan(0);
    expect(vendor.clicks).toBe(2);
  });

  it('11: gets an invitation link for a colleague in support with at most 3 clicks', async () => {
    await vendor.goTo('Team');
    await vendor.click(vendor.button('Invite member'));
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Role').selectOption('Support');
    await dialog.getByLabel('Email').fill(`grace@${developer._id}.example`);
    await page.keyboard.press('Enter');
    const copy = dialog.getByRole('button', { name: 'Copy link' });
    await copy.waitFor();
    expect(vendor.clicks).toBeLessThanOrEqual(3);
    await copy.click();
    const [address, invitation] = (await copied(page)).split('#');
    expect(address).toBe(`${tested.url}/join`);
    expect((await tested.service.accept(String(invitation))).body.user.role).toBe('support');
  });

  it('writes the mail that delivers keys, sees an error for a misspelled placeholder, and gets the mail with sample values', async () => {
    await vendor.goTo('Mail');
    const edit = vendor.button('Edit “License key”');
    await edit.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Subject').fill('For {{client.nam}}');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Subject has the unknown placeholder {{client.nam}}').waitFor();
    await dialog.getByLabel('Subject').fill('For {{client.name}}');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('For Sample Customer').waitFor();
    await expectFocus(edit);
    await vendor.button('Send me a test of “License key”').click();
    await vendor.inDialog('Send me a test').click();
    await page.getByText('Mail is off. Confirm the owner').waitFor();
  });

  it('12: creates an API key for a shop with at most 4 clicks; its secret is shown once and works until the key is deleted', async () => {
    await vendor.goTo('API keys');
    await vendor.click(vendor.button('New API key'));
    const dialog = page.getByRole('dialog');
    await vendor.click(dialog.getByRole('button', { name: 'A shop that issues licenses' }));
    await dialog.getByLabel('Name').fill('Checkout');
    await page.keyboard.press('Enter');
    const copy = dialog.getByRole('button', { name: 'Copy secret' });
    await copy.waitFor();
    expect(vendor.clicks).toBeLessThanOrEqual(4);
    await copy.click();
    const secret = await copied(page);
    expect(secret).toMatch(/^lms_[\w-]{49}$/);
    await vendor.button('Close').click();
    await expectFocus(vendor.button('New API key'));
    await page.getByText(`lms_…${secret.slice(-4)}`).waitFor();
    expect(await page.content()).not.toContain(secret);
    const call = async (path: string) => (await tested.service.get(path, { token: secret })).status;
    expect(await call('/licenses')).toBe(200);
    expect(await call('/events')).toBe(403);
    await vendor.button('Delete').click();
    await vendor.inDialog('Delete').click();
    await page.getByText('No API keys yet').waitFor();
    expect(await call('/licenses')).toBe(401);
  });

  it('12: creates a webhook and copies its secret with at most 4 clicks, and sends a failed delivery again with 3', async () => {
    await vendor.goTo('Webhooks');
    await vendor.click(vendor.button('New webhook'));
    await page.getByLabel('URL').fill(`${receiver.url}/hooks`);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copy secret' }).waitFor();
    expect(vendor.clicks).toBeLessThanOrEqual(4);
    expect(await copied(page, 'Copy secret')).toMatch(/^whsec_/);
    await vendor.button('Close').click();
    await page.getByRole('cell', { name: 'All events' }).waitFor();
    receiver.respond = (response) => response.writeHead(500).end('Unknown order');
    await tested.service.createLicense(developer);
    const webhook = async () => (await tested.service.get('/webhooks', developer)).body.data[0];
    while ((await webhook()).failingSince === null);
    await page.goto(tested.url);
    vendor.clicks = 0;
    await page.getByRole('region', { name: 'Failing webhooks' }).getByRole('link').waitFor();
    await vendor.goTo('Webhooks');
    const row = page.getByRole('row').filter({ hasText: 'License created' });
    await row.getByText('Retrying').waitFor();
    receiver.respond = (response) => response.writeHead(202).end();
    await vendor.click(row.getByRole('button', { name: 'Send again' }));
    expect(vendor.clicks).toBe(3);
    await row.waitFor({ state: 'detached' });
    await page.getByRole('row').getByText('Enabled').waitFor();
    await page.getByRole('link', { name: receiver.url }).click();
    await row.getByText('HTTP 202').waitFor();
    await row.getByRole('button', { name: 'Details' }).click();
    await page.getByText('Unknown order').first().waitFor();
    await vendor.inDialog('Close').click();
    await page.getByLabel('Status').selectOption('Failed');
    await page.getByText('No deliveries match').waitFor();
  });

  it('12: sees why the service disabled a webhook, enables it, changes its events, rotates its secret and deletes it', async () => {
    await tested.service.post('/webhooks', { url: receiver.url, types: ['plan.*'] }, developer);
    receiver.respond = (response) => response.writeHead(410).end();
    await page.clock.install();
    await page.goto(`${tested.url}/account/webhooks`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('cell', { name: 'All plan events' }).waitFor();
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByText('No deliveries yet').waitFor();
    await vendor.button('Send test').click();
    const row = page.getByRole('row', { name: 'Test event' });
    await row.waitFor();
    await page.clock.fastForward(5000);
    await row.getByText('HTTP 410').waitFor();
    await page.reload();
    await page.getByText('because it responded with 410 Gone. Failing since').waitFor();
    expect(await vendor.button('Send').count()).toBe(0);
    receiver.reset();
    await confirm(page, 'Enable');
    const accepted = page.waitForResponse('**/redeliver');
    await row.getByRole('button', { name: 'Send again' }).click();
    await (await accepted).finished();
    await page.clock.fastForward(5000);
    await row.getByText('HTTP 204').waitFor();

    await vendor.button('Edit').click();
    await dialog.getByRole('checkbox', { name: 'All plan events' }).uncheck();
    await submit(dialog, 'Save');
    const all = dialog.getByRole('checkbox', { name: 'All events' });
    expect(await validityOf(all)).toBe('Choose at least one type of event');
    await dialog.getByText('Customers', { exact: true }).click();
    await dialog.getByRole('checkbox', { name: 'Customer created' }).check();
    await submit(dialog, 'Save');
    await page.getByText('Customer created', { exact: true }).waitFor();

    await vendor.button('Rotate secret').click();
    await dialog.getByRole('checkbox').check();
    await submit(dialog, 'Rotate secret');
    expect(await copied(page, 'Copy secret')).toMatch(/^whsec_/);
    await submit(dialog, 'Close');
    await confirm(page, 'Delete');
    await page.getByText('No webhooks yet').waitFor();
  });

  it('13: sees who revoked a license and why without a click, and in the event log with 2, which links to everything this member did', async () => {
    const license = await tested.service.createLicense(developer);
    const support = await tested.service.addMember(developer, 'support');
    const reason = 'Charged back';
    await tested.service.post(`/licenses/${license._id}/revoke`, { reason }, support);
    // More events than the service searches for one page.
    await tested.service.addLicenses(developer, license.project, 300);
    await vendor.paste(license.key);
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText(reason).waitFor();
    await history.getByRole('link', { name: 'Grace' }).waitFor();
    expect(vendor.clicks).toBe(0);
    await vendor.goTo('Events');
    await page.getByLabel('Type').selectOption('License revoked');
    const row = page.getByRole('row').filter({ hasText: reason });
    const member = row.getByRole('link', { name: 'Grace' });
    await member.waitFor();
    expect(vendor.clicks).toBeLessThanOrEqual(2);
    const others = page.getByRole('row').filter({ hasText: 'Member joined' });
    await others.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?type=license.revoked');
    const day = new Date().toLocaleDateString('en-CA');
    const to = page.getByLabel('To', { exact: true });
    expect(await to.isVisible()).toBe(false);
    await vendor.button('More filters').click();
    await to.fill(day);
    await page.getByLabel('From', { exact: true }).fill(day);
    await page.getByLabel('From', { exact: true }).press('Enter');
    await page.waitForURL(`**/events?type=license.revoked&from=${day}&to=${day}`);
    await member.click();
    await others.waitFor();
    expect(new URL(page.url()).search).toBe(`?actor=${support._id}`);
    await row.getByRole('link', { name: `•••• ${license.key.slice(-4)}` }).click();
    await page.getByRole('heading', { name: 'Web shop license' }).waitFor();
  });

  it('10: shows commands that activate and validate a license without an SDK', async () => {
    const license = await tested.service.createLicense(developer, { product: PRODUCT });
    await page.goto(`${tested.url}/integrate?product=${PRODUCT}`);
    await page.getByLabel('License', { exact: true }).selectOption({ index: 1 });
    await page.getByText(license.key).waitFor();
    const commands = await copied(page, 'Copy commands');
    const { stdout } = await run('sh', ['-euc', commands]);
    expect(stdout).toContain('License activated');
    expect(stdout).toContain('"valid":true');
    await page.getByText('My first machine has activated').waitFor();
  });
});
