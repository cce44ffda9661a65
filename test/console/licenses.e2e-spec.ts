import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import type { Page } from 'playwright-core';
import {
  activate,
  addLicense,
  createClient,
  createLicense,
  createProject,
  type Developer,
} from '../e2e/developer.js';
import { describeConsole } from './console-under-test.js';
import { LicensedMachine } from './licensed-machine.js';

const PRODUCT = 'com.example.web-shop';

describeConsole('Licenses in the console', (tested) => {
  let developer: Developer;
  beforeEach(async () => {
    developer = await tested.register();
  });

  const openLicense = (id: string) => tested.openAs(developer, `/licenses/${id}`);

  const rowsOf = (page: Page) => page.getByRole('table').getByRole('row');

  it('are filtered, each view at an address of its own', async () => {
    const acme = await createClient(tested.service, developer, { name: 'Acme' });
    const globex = await createClient(tested.service, developer, { name: 'Globex' });
    const shop = await createProject(tested.service, developer, acme._id, { product: PRODUCT });
    await createProject(tested.service, developer, acme._id, { projectName: 'Portal' });
    await createProject(tested.service, developer, globex._id, { projectName: 'Archive' });
    await activate(tested.service, shop.license);

    const page = await tested.openAs(developer, '/licenses');
    await page.getByRole('link', { name: 'Archive' }).waitFor();
    await page.getByLabel('Status').selectOption('Active');
    await page.waitForURL('**/licenses?status=ACTIVE');
    await page.getByRole('link', { name: 'Archive' }).waitFor({ state: 'detached' });
    expect(await rowsOf(page).count()).toBe(1 + 1);

    await page.getByRole('link', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: 'Client' }).click();
    await page.getByLabel('Search').fill('ac');
    await page.getByRole('dialog').getByRole('button', { name: /^Acme/ }).click();
    await page.waitForURL(`**/licenses?clientId=${acme._id}`);
    await page.getByLabel('Project').selectOption('Portal');
    await page.waitForURL(/projectId=/);
    await page.getByRole('link', { name: 'Web shop' }).waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('link', { name: 'Web shop' }).waitFor();
    expect(await rowsOf(page).count()).toBe(1 + 2);

    await page.getByLabel('Product').fill(PRODUCT);
    await page.getByLabel('Product').press('Enter');
    await page.waitForURL(/product=com.example.web-shop/);
    await page.getByRole('link', { name: 'Portal' }).waitFor({ state: 'detached' });

    // Typed as somebody types it: a date is valid, though not meant, from the first digit of its year on.
    await page.getByLabel('Expires before').focus();
    await page.keyboard.type('01012020');
    await page.keyboard.press('Enter');
    await page.waitForURL(/expiresBefore=2020-01-01/);
    expect(await page.getByLabel('Expires before').evaluate((it) => it.matches(':focus'))).toBe(
      true,
    );
    await page.getByText('No license matches these filters').waitFor();
    const shared = await tested.openAs(
      developer,
      new URL(page.url()).search.replace(/^/, '/licenses'),
    );
    await shared.getByText('No license matches these filters').waitFor();
    expect(await shared.getByLabel('Expires before').inputValue()).toBe('2020-01-01');
    expect(await shared.getByLabel('Project').inputValue()).toBe('');
    await shared.getByRole('link', { name: 'Clear filters' }).click();
    await shared.getByRole('link', { name: 'Archive' }).waitFor();
    expect(await shared.getByLabel('Expires before').inputValue()).toBe('');
    expect(await shared.getByLabel('Product').inputValue()).toBe('');
  });

  it('are renewed, and say when they end', async () => {
    const license = await createLicense(tested.service, developer, { duration: 1 });
    await activate(tested.service, license);
    const page = await openLicense(license._id);
    await page.getByRole('button', { name: 'Renew' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Duration (months)').fill('2');
    await dialog.getByRole('button', { name: 'Renew' }).click();
    await page.getByText('License renewed successfully').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Renewed' }).waitFor();

    const { body } = await tested.service.get(`/licenses/${license._id}`, developer);
    const time = page.getByRole('definition').locator(`time[datetime="${body.expiresAt}"]`);
    const utc = String(body.expiresAt).slice(0, 19).replace('T', ' ');
    expect(await time.getAttribute('title')).toBe(`${utc} UTC`);
  });

  it('show times in the time zone of the reader', async () => {
    const license = await createLicense(tested.service, developer);
    const { body } = await tested.service.get(`/licenses/${license._id}`, developer);
    const inTokyo = await tested.openAs(developer, `/licenses/${license._id}`, {
      timezoneId: 'Asia/Tokyo',
    });
    const expected = new Intl.DateTimeFormat('en-GB', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'Asia/Tokyo',
    }).format(new Date(body.createdAt));
    await inTokyo.getByRole('definition').getByText(expected).waitFor();
  });

  it('are reissued: the new key is shown, and the former license is revoked', async () => {
    const license = await createLicense(tested.service, developer);
    const page = await openLicense(license._id);
    await page.getByRole('button', { name: 'Reissue' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reissue' }).click();
    const done = page.getByRole('dialog', { name: 'The new license' });
    const key = await done.getByLabel('License key').innerText();
    expect(key).not.toBe(license.key);
    expect((await activate(tested.service, { key })).status).toBe(200);

    await done.getByRole('link', { name: 'Open the new license' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(key);
    await page.getByRole('link', { name: 'the former license' }).click();
    await page.getByText('Revoked', { exact: true }).first().waitFor();
  });

  it('hide the key again', async () => {
    const license = await createLicense(tested.service, developer);
    const page = await openLicense(license._id);
    await page.getByRole('button', { name: 'Show key' }).click();
    await page.getByText(license.key).waitFor();
    await page.getByRole('button', { name: 'Hide key' }).click();
    await page.getByText(license.key).waitFor({ state: 'detached' });
  });

  it('are certified for a machine without a network', async () => {
    const client = await createClient(tested.service, developer);
    const { license } = await createProject(tested.service, developer, client._id, {
      product: PRODUCT,
    });
    const keys = (await tested.service.get('/signing-keys', developer)).body;
    const machine = new LicensedMachine(tested, PRODUCT, keys);
    const request = (await machine.call('request')) as string;

    const page = await openLicense(license._id);
    await page.getByText('Certificate for a machine without a network').click();
    await page.getByLabel('Request').fill('no request');
    await page.getByRole('button', { name: 'Issue certificate' }).click();
    const field = page.getByLabel('Request');
    expect(await field.evaluate((box: HTMLTextAreaElement) => box.validationMessage)).toBe(
      'Paste the request as the software shows it',
    );
    await field.fill(request);
    await page.getByLabel('Days').fill('30');
    await page.getByRole('button', { name: 'Issue certificate' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download certificate' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`certificate-${license._id}.txt`);
    const certificate = fs.readFileSync(await file.path(), 'utf8');
    expect(await machine.call('install', certificate)).toMatchObject({ state: 'valid' });
    await page.getByText('Certificate issued', { exact: true }).waitFor();
  });

  it('have their history, page by page', async () => {
    const license = await createLicense(tested.service, developer);
    await activate(tested.service, license, `fingerprint-${randomUUID()}`);
    await activate(tested.service, license, `fingerprint-${randomUUID()}`);
    for (let renewals = 0; renewals < 20; renewals += 1) {
      await tested.service.post(`/licenses/${license._id}/renew`, { duration: 1 }, developer);
    }
    const page = await openLicense(license._id);
    const history = page.getByRole('region', { name: 'History' });
    await history.getByRole('button', { name: 'Show more' }).click();
    await history.getByText('It came from another machine').waitFor();
    await history.getByText('Created', { exact: true }).waitFor();
    expect(await history.getByRole('listitem').count()).toBe(23);
  });

  it('are counted on the overview, where those that expire soon are renewed', async () => {
    const client = await createClient(tested.service, developer);
    const terms = { duration: 1, projectName: 'Portal' };
    const { license, project } = await createProject(tested.service, developer, client._id, terms);
    await activate(tested.service, license);
    await addLicense(tested.service, developer, project._id);
    const { body } = await tested.service.get(`/licenses/${license._id}`, developer);
    const day = String(body.activatedAt).slice(0, 10);

    const page = await tested.openAs(developer);
    await page.getByRole('link', { name: '1 Active' }).waitFor();
    await page.getByRole('link', { name: '1 Pending' }).waitFor();
    await page.getByText('1 first activation in the last 30 days').waitFor();
    await page.getByText('Show as a table').click();
    const row = page.getByRole('table').getByRole('row').filter({ hasText: day });
    expect(await row.innerText()).toMatch(/\s1$/);
    await page.getByRole('region', { name: 'Latest events' }).getByText('Activated').waitFor();

    // A month may have 31 days, so the browser is some days ahead.
    await page.clock.setSystemTime(Date.now() + 3 * 86_400_000);
    await page.reload();
    const expiring = page.getByRole('region', { name: 'Expiring soon' });
    await expiring.getByRole('link', { name: 'Portal' }).waitFor();
    await expiring.getByRole('button', { name: 'Renew' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Renew' }).click();
    await page.getByText('License renewed successfully').waitFor();
    await expiring.getByRole('link', { name: 'Portal' }).waitFor({ state: 'detached' });

    await page.getByRole('link', { name: '1 Active' }).click();
    await page.waitForURL('**/licenses?status=ACTIVE');
    await page
      .getByRole('table', { name: 'Licenses' })
      .getByRole('link', { name: 'Portal' })
      .first()
      .waitFor();
  });
});
